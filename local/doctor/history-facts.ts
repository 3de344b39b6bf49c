/**
 * The facts about price histories, closed markets and resolutions, and the checks of these facts.
 */
import { WHOLE_LIFE } from '../../lambda/core/domain/history-plan.ts';
import type { PricePoint } from '../../lambda/core/domain/price-history.ts';
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
import { type Fact, type Finding, most, volumeOrder } from './fact.ts';
import { LIMITS, type Visit } from './visit.ts';

/** The service derives price changes from histories until it has its own samples. */
export const CHANGE_FACTS: readonly Fact[] = [
  {
    fact: 'CLOB returns many histories',
    otherwise: 'Changes appear later after a first start.',
    look: returnsManyHistories,
  },
];

/** Callers can request the history of a market. */
export const HISTORY_FACTS: readonly Fact[] = [
  {
    fact: 'CLOB returns a history',
    otherwise: 'Price histories come from the Data API.',
    look: returnsHistory,
  },
  {
    fact: 'the Data API returns a whole life',
    otherwise: 'Histories that CLOB lacks are missing or short.',
    look: async (visit) => hasSteps(await wholeLife(visit, await visit.token())),
  },
];

/** `npm run archive -- --past` writes a past: closed markets with their histories and payouts. */
export const PAST_FACTS: readonly Fact[] = [
  {
    fact: 'Gamma lists closed markets',
    otherwise: 'A past has other markets.',
    look: listsClosedMarkets,
  },
  {
    fact: 'closed markets have a whole history',
    otherwise: 'A past has payouts without prices.',
    look: async (visit) => hasSteps(await wholeLife(visit, (await visit.resolved()).clobTokenId)),
  },
  {
    fact: 'the Data API returns resolutions',
    otherwise: 'The outcomes of closed markets are unknown.',
    look: returnsResolutions,
  },
  {
    fact: 'a history ends with the payout',
    otherwise: 'The history of a resolved market has no outcome.',
    look: endsWithPayout,
  },
];

async function returnsManyHistories(visit: Visit): Promise<Finding> {
  // Every fifth market, because the markets of one event can all be on a protocol that this route
  // lacks.
  const some = (await visit.tokens()).filter((_, n) => n % 5 === 0);
  const tokens = some.slice(0, HISTORY_BATCH_TOKENS);
  const end = toUnixSeconds(Date.now()) - DAY_SECONDS;
  // A point for each 60 minutes.
  const day = { kind: 'window', start: end - DAY_SECONDS, end, fidelity: 60 } as const;
  const histories = await clobBatchSource(visit.clob).read(tokens, day, LIMITS);
  const found = [...histories.values()].filter((points) => points.length > 0).length;
  return [found > 0, `${found} of ${tokens.length} tokens`];
}

async function returnsHistory(visit: Visit): Promise<Finding> {
  const token = await visit.token();
  const week = { kind: 'interval', interval: '1w', fidelity: 60 } as const;
  const histories = await clobSingleSource(visit.clob).read([token], week, LIMITS);
  const points = histories.get(token) ?? [];
  return [points.length > 0, `${points.length} points`];
}

async function listsClosedMarkets(visit: Visit): Promise<Finding> {
  const { records } = await visit.closedPage();
  const read = records.map((record) => readFoundMarket(record, 0));
  const closed = read.filter((found) => found && 'market' in found && found.isClosed).length;
  const [areMost, seen] = most(closed, records.length, 'can be read');
  const [isOrdered, order] = volumeOrder(records);
  return [areMost && isOrdered, `${seen}, ${order}`];
}

async function returnsResolutions(visit: Visit): Promise<Finding> {
  const { records } = await visit.closedPage();
  const batch = records.slice(0, RESOLUTIONS_BATCH_CONDITIONS);
  const ids = batch.map(({ conditionId }) => String(conditionId));
  const resolutions = await new Resolutions(visit.data).read(ids, LIMITS);
  const paid = [...resolutions.values()].filter(({ payouts }) => payouts);
  return most(paid.length, ids.length, 'markets have payouts');
}

async function endsWithPayout(visit: Visit): Promise<Finding> {
  const { id, clobTokenId } = await visit.resolved();
  const last = (await wholeLife(visit, clobTokenId)).at(-1);
  const [resolution] = (await new Resolutions(visit.data).read([id], LIMITS)).values();
  const holds = last?.payout === true && resolution?.payouts?.includes(last.p) === true;
  return [holds, `last point ${last?.p}, payouts ${resolution?.payouts?.join(' and ')}`];
}

/** The whole history of a token. Polymarket keeps it forever in steps of three hours. */
async function wholeLife(visit: Visit, token: string): Promise<readonly PricePoint[]> {
  const histories = await dataSource(visit.data, Date.now).read([token], WHOLE_LIFE, LIMITS);
  return histories.get(token) ?? [];
}

/** Whether two neighbours of a whole history are a step of three hours apart. */
function hasSteps(points: readonly PricePoint[]): Finding {
  const step = WHOLE_LIFE.fidelity * MINUTE_SECONDS;
  const steps = points.filter(({ t }, n) => t - (points[n - 1]?.t ?? t) === step).length;
  return [steps > 0, `${points.length} points, ${steps} of them a step of three hours`];
}
