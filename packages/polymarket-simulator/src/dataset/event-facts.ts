import { dateText } from './dates.ts';
import { Draw, mix } from './hash.ts';
import { type EventText, eventText, slugOf } from './questions.ts';
import { RATES } from './rates.ts';

/** Everything about a generated event that does not change with time. */
export interface EventFacts {
  readonly index: number;
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly endMs: number;
  /** Left out where the event has no end. */
  readonly endDate: string | undefined;
  /** Its markets are listed, but it is not. */
  readonly unlisted: boolean;
  /** Tag slugs. */
  readonly tags: readonly string[];
  readonly negRisk: boolean;
}

const FIRST_ID = 20_000;
const DAY_MS = 86_400_000;

/** The event at `index` of the dataset that was made at `epoch` (ms, a UTC midnight), and the words of its markets. */
export function eventWithText(
  seed: number,
  index: number,
  epoch: number,
): { readonly event: EventFacts; readonly text: EventText } {
  const key = mix(mix(seed, 0xe7e47), index);
  const endMs = endOf(new Draw(key, 'end'), epoch);
  const text = eventText(key, endMs);
  const event = {
    index,
    id: String(FIRST_ID + index),
    title: text.title,
    slug: `${slugOf(text.title)}-${index}`,
    endMs,
    endDate: dateText(endMs, 0, 0),
    unlisted: new Draw(key, 'unlistedEvent').chance(RATES.unlistedEvent),
    tags: text.tags,
    negRisk: text.market(0).group !== '',
  };
  return { event, text };
}

function endOf(draw: Draw, epoch: number): number {
  const days = draw.pick([3, 14, 45, 180, 400]) * draw.between(0.4, 1);
  const hour = draw.pick([0, 4, 12, 12, 16, 20]);
  return epoch + Math.ceil(days) * DAY_MS + hour * 3_600_000;
}
