import type { PricePoint } from '../../lambda/core/domain/change.ts';
import { WHOLE_LIFE } from '../../lambda/core/domain/history-plan.ts';
import { DAY_SECONDS, MINUTE_SECONDS, toUnixSeconds } from '../../lambda/core/domain/time.ts';
import { dataSource } from '../../lambda/io/polymarket/data-history-source.ts';
import {
  clobBatchSource,
  clobSingleSource,
  HISTORY_BATCH_TOKENS,
} from '../../lambda/io/polymarket/history-sources.ts';
import { readFoundMarket } from '../../lambda/io/polymarket/market-lookup.ts';
import {
  RESOLUTIONS_BATCH_CONDITIONS,
  Resolutions,
} from '../../lambda/io/polymarket/resolutions.ts';
import { type Finding, most, useful, volumeOrder } from './fact.ts';
import { LIMITS, type Visit } from './visit.ts';

export const CHANGE_FACTS = [
  useful(
    'CLOB returns many histories',
    'Changes appear later after a first start.',
    async (visit) => {
      // From different events: one event's markets can all be on a protocol that this route lacks.
      const some = (await visit.tokens()).filter((_, n) => n % 5 === 0);
      const tokens = some.slice(0, HISTORY_BATCH_TOKENS);
      const end = toUnixSeconds(Date.now()) - DAY_SECONDS;
      const day = { kind: 'window', start: end - DAY_SECONDS, end, fidelity: 60 } as const;
      const histories = await clobBatchSource(visit.clob).read(tokens, day, LIMITS);
      const found = [...histories.values()].filter((points) => points.length > 0).length;
      return [found > 0, `${found} of ${tokens.length} tokens`];
    },
  ),
];

export const HISTORY_FACTS = [
  useful('CLOB returns a history', 'Price histories come from the Data API.', async (visit) => {
    const token = await visit.token();
    const week = { kind: 'interval', interval: '1w', fidelity: 60 } as const;
    const points =
      (await clobSingleSource(visit.clob).read([token], week, LIMITS)).get(token) ?? [];
    return [points.length > 0, `${points.length} points`];
  }),
  useful(
    'the Data API returns a whole life',
    'Histories that CLOB lacks are missing or short.',
    async (visit) => stepsOf(await wholeLife(visit, await visit.token())),
  ),
];

export const PAST_FACTS = [
  useful('Gamma lists closed markets', 'A past has other markets.', async (visit) => {
    const { records: markets } = await visit.closedPage();
    const read = markets.map((market) => readFoundMarket(market, 0));
    const closed = read.filter((found) => found && 'market' in found && found.isClosed).length;
    const [areMost, seen] = most(closed, markets.length, 'can be read');
    const [isOrdered, order] = volumeOrder(markets);
    return [areMost && isOrdered, `${seen}, ${order}`];
  }),
  useful(
    'closed markets have a whole history',
    'A past has payouts without prices.',
    async (visit) => stepsOf(await wholeLife(visit, (await visit.resolved()).clobTokenId)),
  ),
  useful(
    'the Data API returns resolutions',
    'The outcomes of closed markets are unknown.',
    async (visit) => {
      const { records: markets } = await visit.closedPage();
      const all = markets.slice(0, RESOLUTIONS_BATCH_CONDITIONS);
      const ids = all.map(({ conditionId }) => String(conditionId));
      const resolutions = await new Resolutions(visit.data).read(ids, LIMITS);
      const paid = [...resolutions.values()].filter(({ payouts }) => payouts);
      return most(paid.length, ids.length, 'markets have payouts');
    },
  ),
  useful(
    'a history ends with the payout',
    'The history of a resolved market has no outcome.',
    async (visit) => {
      const { id, clobTokenId } = await visit.resolved();
      const last = (await wholeLife(visit, clobTokenId)).at(-1);
      const [resolution] = (await new Resolutions(visit.data).read([id], LIMITS)).values();
      const holds = last?.payout === true && resolution?.payouts?.includes(last.p) === true;
      return [holds, `last point ${last?.p}, payouts ${resolution?.payouts?.join(' and ')}`];
    },
  ),
];

/** The history of a token in the only buckets that upstream keeps forever. */
async function wholeLife(visit: Visit, token: string): Promise<readonly PricePoint[]> {
  const histories = await dataSource(visit.data, Date.now).read([token], WHOLE_LIFE, LIMITS);
  return histories.get(token) ?? [];
}

function stepsOf(points: readonly PricePoint[]): Finding {
  const step = WHOLE_LIFE.fidelity * MINUTE_SECONDS;
  const steps = points.filter(({ t }, n) => t - (points[n - 1]?.t ?? t) === step).length;
  return [steps > 0, `${points.length} points, ${steps} of them a step of three hours`];
}
