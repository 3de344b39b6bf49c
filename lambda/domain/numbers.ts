/**
 * Rounds to two decimals, halves away from zero. The detour over 12 significant digits undoes binary noise:
 * 1.005 is a half although its nearest double lies below it.
 */
export function roundTo2(value: number): number {
  const rounded = (Math.sign(value) * Math.round(Number((Math.abs(value) * 100).toPrecision(12)))) / 100;
  return rounded === 0 ? 0 : rounded; // never -0
}
