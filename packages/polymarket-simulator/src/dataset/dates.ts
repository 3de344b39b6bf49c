import { mix } from './hash.ts';

/** RFC 3339 in UTC with `digits` fraction digits (0 to 9), as Gamma writes them. */
export function dateText(ms: number, digits: number, key: number): string {
  const fraction = digits === 0 ? '' : `.${String(mix(key, 0xf)).padStart(10, '0').slice(-digits)}`;
  return `${new Date(ms).toISOString().slice(0, 19)}${fraction}Z`;
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
