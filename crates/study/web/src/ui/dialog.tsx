/** A dialog over the page: the browser's own, so that focus and Escape work as everywhere. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import { IconButton } from './icons';

export function Dialog(props: { title: string; close: () => void; wide?: boolean; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={props.wide ? 'wide' : ''}
      aria-labelledby={title}
      onClose={props.close}
      onClick={(event) => event.target === dialog.current && props.close()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={title}>{props.title}</h2>
          <IconButton icon="close" label="Close" onClick={props.close} />
        </header>
        {props.children}
      </div>
    </dialog>
  );
}
