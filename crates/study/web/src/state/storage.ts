/** What survives a reload: small values in the browser's local storage. A browser that has none forgets. */

const PREFIX = 'rufous.';

export function load<T>(key: string, fallback: T, valid: (value: unknown) => value is T): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null');
    return valid(value) ? value : fallback;
  } catch {
    return fallback;
  }
}

export function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Full, or not allowed: the page works without.
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isOneOf =
  <T extends string>(...choices: readonly T[]) =>
  (value: unknown): value is T =>
    choices.includes(value as T);
