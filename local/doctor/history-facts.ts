import { DAY_SECONDS, toUnixSeconds } from '../../lambda/core/domain/time.ts';
import { HISTORY_BATCH_TOKENS } from '../../lambda/io/polymarket/history-sources.ts';
import * as json from '../../lambda/io/polymarket/json-values.ts';
import { type Finding, useful } from './fact.ts';
import type { Visit } from './visit.ts';

/** 2015, before all markets. In Unix seconds. */
const FIRST_YEAR = 1_420_070_400;

export const CHANGE_FACTS = [
  useful(
    'CLOB returns many histories',
    'Changes appear later after a first start.',
    async (visit) => {
      // From different events: one event's markets can all be on a protocol that this route lacks.
      const markets = (await visit.markets())
        .filter((_, n) => n % 5 === 0)
        .slice(0, HISTORY_BATCH_TOKENS);
      const now = Math.floor(Date.now() / 1_000);
      const { status, body } = await visit.call('clob', '/batch-prices-history', {
        markets: markets.map(({ clobTokenId }) => clobTokenId),
        start_ts: now - 2 * DAY_SECONDS,
        end_ts: now - DAY_SECONDS,
        fidelity: 60,
      });
      const histories = json.asObject(body?.history);
      const found = markets.filter(
        ({ clobTokenId }) => json.asList(histories?.[clobTokenId])?.length,
      ).length;
      return [found > 0, `status ${status}, ${found} of ${markets.length} tokens`];
    },
  ),
];

export const HISTORY_FACTS = [
  useful('CLOB returns a history', 'Price histories come from the Data API.', async (visit) => {
    const path = `/prices-history?market=${await visit.token()}&interval=1w&fidelity=60`;
    const { status, body } = await visit.call('clob', path);
    return history(status, body?.history, 'p');
  }),
  useful(
    'the Data API returns a whole life',
    'Histories that CLOB lacks are missing or short.',
    async (visit) => wholeLife(visit, await visit.token()),
  ),
];

function history(status: number, points: unknown, price: 'p' | 'price'): Finding {
  const list = (json.asList(points) ?? []).map((point) => json.asObject(point));
  const now = toUnixSeconds(Date.now());
  const prices = list.filter((point) => json.asPrice(point?.[price]) !== undefined).length;
  const times = list
    .map((point) => json.asUnixSeconds(point?.[price === 'p' ? 't' : 'timestamp']))
    .filter((time = 0) => time > FIRST_YEAR && time < now + DAY_SECONDS).length;
  const holds = list.length > 0 && prices === list.length && times === list.length;
  return [
    holds,
    `status ${status}, ${list.length} points, ${prices} prices, ${times} times in seconds`,
  ];
}

/** The history of a token in the only buckets that upstream keeps forever. */
export async function wholeLife(visit: Visit, token: string): Promise<Finding> {
  const path = `/v2/prices-history?token_id=${token}&interval=max&bucket_seconds=10800`;
  const { status, body } = await visit.call('data', path);
  const [holds, seen] = history(status, body?.data, 'price');
  const points = json.asList(body?.data) ?? [];
  const steps = points.filter((point) => json.asObject(point)?.resolution_seconds === 10_800);
  return [holds && steps.length > 0, `${seen}, ${steps.length} of them a step of three hours`];
}
