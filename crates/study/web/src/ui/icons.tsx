/** The few pictures of the page, drawn on a grid of 24. */

const PATHS = {
  first: 'M6 5v14M19 5l-9 7 9 7z',
  previous: 'M16 5l-9 7 9 7z',
  next: 'M8 5l9 7-9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  flip: 'M8 4v15m0 0l-4-4m4 4l4-4M16 20V5m0 0l-4 4m4-4l4 4',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 4.5v5M6 14.5v5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  paste: 'M8 5H5v15h14V5h-3M9 3h6v4H9zM9 12h6M9 16h4',
  plus: 'M12 5v14M5 12h14',
  board: 'M4 4h16v16H4zM4 12h16M12 4v16',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.500 17.500L19 19M5 19l1.500-1.500M17.500 6.500L19 5',
  moon: 'M20 14.500A8 8 0 1 1 9.500 4a6.500 6.500 0 0 0 10.500 10.500z',
  auto: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.6.500 1 1.100 1 1.800V16h5v-.3c0-.7.4-1.300 1-1.800A6 6 0 0 0 12 3z',
  undo: 'M4 9h10a6 6 0 0 1 0 12h-3M4 9l4-4M4 9l4 4',
  flag: 'M6 21V4h12l-3 4.500 3 4.500H6',
  close: 'M6 6l12 12M18 6L6 18',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  up: 'M6 15l6-6 6 6',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** A button that shows a picture and says what it does. */
export function IconButton(props: {
  icon: IconName;
  label: string;
  onClick: () => void;
  disabled?: boolean;
  pressed?: boolean;
}) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled ?? false}
      {...(props.pressed === undefined ? {} : { 'aria-pressed': props.pressed })}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}
