/**
 * Rounds to three decimals, halves away from zero. The detour over 12 significant digits undoes binary noise:
 * 1.0005 is a half although its nearest double lies below it.
 */
export function roundTo3(value: number): number {
  const rounded = (Math.sign(value) * Math.round(Number((Math.abs(value) * 1_000).toPrecision(12)))) / 1_000;
  return rounded === 0 ? 0 : rounded; // never -0
}
