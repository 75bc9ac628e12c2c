/** The settings: a panel made from the options that the engine declares. */

import type { OptionDeclaration } from '../engine/uci';
import { engine } from '../state/engine';
import { engineOptions, setEngineOption } from '../state/settings';
import { Dialog } from './dialog';

/** Options that the page sets itself, as its modes need them. */
const OWN = /^(UCI_|MultiPV$|Ponder$|Skill Level$|Move Overhead$|nodestime$)/;

export function SettingsDialog({ close }: { close: () => void }) {
  const status = engine.status.value;
  const about = status.kind === 'open' ? status.about : null;
  const shown = engine.options.value.filter((option) => !OWN.test(option.name));
  return (
    <Dialog title="Engine" close={close}>
      <p class="quiet">
        {engine.name.value}
        {about ? `, ${about.place}` : ', not connected'}
      </p>
      <div class="options">
        {shown.map((option) => (
          <Option key={option.name} option={option} about={about?.options[option.name] ?? ''} />
        ))}
      </div>
      {about && about.limits.length > 0 && (
        <ul class="quiet limits">{about.limits.map((limit) => <li key={limit}>{limit}</li>)}</ul>
      )}
    </Dialog>
  );
}

function Option({ option, about }: { option: OptionDeclaration; about: string }) {
  const { name } = option;
  const value = engineOptions.value[name];
  const id = `option-${name.replace(/\W+/g, '-')}`;
  const help = about === '' ? undefined : `${id}-about`;
  const control = () => {
    switch (option.type) {
      case 'check':
        return (
          <input
            id={id}
            type="checkbox"
            aria-describedby={help}
            checked={value === undefined ? option.default : value === 'true'}
            onChange={(event) => setEngineOption(name, String(event.currentTarget.checked))}
          />
        );
      case 'spin':
        return (
          <input
            id={id}
            type="number"
            aria-describedby={help}
            min={option.min}
            max={option.max}
            value={value ?? option.default}
            onChange={(event) => {
              const number = Math.round(event.currentTarget.valueAsNumber);
              const chosen = Number.isFinite(number) ? Math.min(option.max, Math.max(option.min, number)) : option.default;
              event.currentTarget.value = String(chosen);
              setEngineOption(name, String(chosen));
            }}
          />
        );
      case 'combo':
        return (
          <select
            id={id}
            aria-describedby={help}
            value={value ?? option.default}
            onChange={(event) => setEngineOption(name, event.currentTarget.value)}
          >
            {option.choices.map((choice) => <option key={choice}>{choice}</option>)}
          </select>
        );
      case 'string':
        return (
          <input
            id={id}
            type="text"
            aria-describedby={help}
            value={value ?? option.default}
            onChange={(event) => setEngineOption(name, event.currentTarget.value)}
          />
        );
      case 'button':
        return <button id={id} type="button" aria-describedby={help} onClick={() => engine.press(name)}>{name}</button>;
    }
  };
  return (
    <div class={`option ${option.type}`}>
      {option.type === 'button' ? <span /> : <label for={id}>{name}</label>}
      {control()}
      {help !== undefined && <p id={help} class="quiet">{about}</p>}
    </div>
  );
}
