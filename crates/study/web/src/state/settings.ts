/** What the user has chosen for good: the look, the lines, the engine's options. */

import { effect, signal } from '@preact/signals';

import { isOneOf, isRecord, load, save } from './storage';

export type Theme = 'system' | 'light' | 'dark';

export const theme = signal<Theme>(load('theme', 'system', isOneOf('system', 'light', 'dark')));
export const lineCount = signal<number>(
  load('lines', 3, (value): value is number => typeof value === 'number' && value >= 1 && value <= 5),
);
export const showArrows = signal<boolean>(load('arrows', true, (value): value is boolean => typeof value === 'boolean'));

const isTexts = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every((text) => typeof text === 'string');

/** Options of the engine by name, only those that the user has changed. */
export const engineOptions = signal<Readonly<Record<string, string>>>(load('options', { Hash: '64' }, isTexts));

export function setEngineOption(name: string, value: string): void {
  engineOptions.value = { ...engineOptions.value, [name]: value };
}

export function keepSettings(): void {
  effect(() => {
    save('theme', theme.value);
    const root = document.documentElement;
    if (theme.value === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme.value;
  });
  effect(() => save('lines', lineCount.value));
  effect(() => save('arrows', showArrows.value));
  effect(() => save('options', engineOptions.value));
}
