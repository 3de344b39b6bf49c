/** The finest midpoint: half of upstream's finest tick of 0.0001. */
const UNITS = 20_000;

/** A price 0..1 as a whole number that fits into two bytes. */
export function unitsOf(price: number): number {
  return Math.round(price * UNITS);
}

export function priceOf(units: number): number {
  return units / UNITS;
}
