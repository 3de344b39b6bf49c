import { round } from './dates.ts';
import { Draw, mix } from './hash.ts';
import { RATES } from './rates.ts';

/** What listings sort and filter by before anything else: each is made without the rest of its market. */

/** The greatest volume in the recordings, USD. */
const GREATEST_VOLUME = 36e6;
const DAY_MS = 86_400_000;

/** Whether a market is resolved, archived, or not active yet. */
export function flagsOf(key: number): { closed: boolean; archived: boolean; active: boolean } {
  const has = (rate: 'closed' | 'archived' | 'inactive') => new Draw(key, rate).chance(RATES[rate]);
  const closed = has('closed');
  return { closed, archived: has('archived'), active: closed || !has('inactive') };
}

/** USD in the book. */
export function liquidityOf(key: number): number {
  const draw = () => new Draw(key, 'liquidity');
  return draw().chance(0.01) ? 0 : round(10 ** draw().between(1.2, 5.6), 5);
}

/** USD traded: a power law up to 36 million. */
export function volumeOf(seed: number, index: number): number {
  const draw = new Draw(mix(seed, index), 'volume');
  const place = draw.next();
  const kind = draw.next();
  if (kind < RATES.zeroVolume) return 0;
  if (kind < RATES.zeroVolume + RATES.tinyVolume) return round(0.01 + place * 9, 6);
  return round(GREATEST_VOLUME / (1 + 1_500 * place) ** 1.2, 6);
}

/** USD traded in 24 hours: a fixed, hashed part of the volume. */
export function volume24hrOf(key: number, volume: number): number {
  const share = new Draw(mix(key, 0x9), 'volume24hr');
  return share.chance(0.25) ? 0 : round(volume * share.next() * 0.02, 6);
}

/** Ms. `epoch` is the UTC midnight that ages count from. */
export function createdAtOf(key: number, epoch: number): number {
  const draw = new Draw(key, 'age');
  const kind = draw.next();
  const { youngerThanDay: day, youngerThanWeek: week, youngerThanMonth: month } = RATES;
  if (kind < day) return epoch - draw.between(0.02, 0.9) * DAY_MS;
  if (kind < day + week) return epoch - draw.between(1, 6) * DAY_MS;
  if (kind < day + week + month) return epoch - draw.between(7.5, 29) * DAY_MS;
  return epoch - draw.between(31, 480) * DAY_MS;
}

/** Whether the market stands under an event. */
export function hasEvent(key: number): boolean {
  const has = (rate: 'noEvent' | 'noEndDate') => new Draw(key, rate).chance(RATES[rate]);
  return !has('noEvent') || has('noEndDate');
}
