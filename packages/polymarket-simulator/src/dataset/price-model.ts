import { Draw, mix } from './hash.ts';
import type { PriceModel, Sides } from './prices.ts';
import { RATES } from './rates.ts';

/** Whether the spread is wider than 0.10. */
export function isWide(key: number): boolean {
  return new Draw(key, 'wideSpread').chance(RATES.wideSpread);
}

/** Whether a market has a book without any order, though its catalogue entry has prices. */
export function isEmptyBook(key: number): boolean {
  return new Draw(key, 'emptyBook').chance(RATES.emptyBook);
}

/** How the price of outcome 0 moves and what its book looks like. */
export function priceModel(key: number, draw: Draw): PriceModel {
  const plain = draw.chance(0.5) ? 1_000 : 100;
  const fine = new Draw(key, 'fineTick');
  const units = fine.chance(RATES.fineTick) ? fine.pick([400, 10_000, 200]) : plain;
  const placeholder = new Draw(key, 'placeholder').chance(RATES.placeholder) && draw.chance(1 / 3);
  const oneSided = new Draw(key, 'oneSided').chance(RATES.oneSided);
  const sides: Sides =
    placeholder || isEmptyBook(key)
      ? 'none'
      : oneSided
        ? draw.chance(0.8)
          ? 'asks-only'
          : 'bids-only'
        : 'both';
  // Most open markets are long shots, some are near-certain, games stand in the middle.
  const base =
    sides === 'both' ? draw.between(-1.2, 0.9) * draw.pick([1, 1, 2, 4]) : sides === 'asks-only' ? -5.5 : 5.5;
  const spread = isWide(key)
    ? draw.between(0.12, 0.7)
    : new Draw(key, 'boundarySpread').chance(RATES.boundarySpread)
      ? 0.1
      : draw.pick([1, 1, 1, 2, 3, 5]) / units;
  const volatility = draw.pick([0.15, 0.5, 0.9, 1.6]);
  return { key: mix(key, 0x9), base, volatility, units, spreadTicks: Math.round(spread * units), sides };
}
