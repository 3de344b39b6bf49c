import { paddedConditionId } from '../../lambda/core/domain/ids.ts';
import * as json from '../../lambda/io/polymarket/json-values.ts';
import { readFoundMarket } from '../../lambda/io/polymarket/market-lookup.ts';
import { RESOLUTIONS_BATCH_CONDITIONS } from '../../lambda/io/polymarket/resolutions.ts';
import { outOfOrder, useful, volumesOf, wordOf } from './fact.ts';
import { wholeLife } from './history-facts.ts';
import type { Visit } from './visit.ts';

/** Payouts are in millionths of a dollar. */
const PAYOUT_UNITS = 1_000_000;

export const PAST_FACTS = [
  useful('Gamma lists closed markets', 'A past has other markets.', async (visit) => {
    const { markets } = await visit.closedPage();
    const volumes = volumesOf(markets);
    const wrong = outOfOrder(volumes) + markets.length - volumes.length;
    const read = markets.map((market) => readFoundMarket(market, 0));
    const closed = read.filter((found) => found && 'market' in found && found.isClosed).length;
    return [
      closed > markets.length / 2 && wrong <= markets.length / 20,
      `${closed} of ${markets.length} can be read, ${wrong} are out of order`,
    ];
  }),
  useful(
    'closed markets have a whole history',
    'A past has payouts without prices.',
    async (visit) => wholeLife(visit, (await visit.resolved()).token),
  ),
  useful('the Data API returns many resolutions', 'A past lacks payouts.', async (visit) => {
    const { markets } = await visit.closedPage();
    const ids = markets
      .slice(0, RESOLUTIONS_BATCH_CONDITIONS)
      .map(({ conditionId }) => conditionId);
    const conditions = ids.map((id) => paddedConditionId(String(id))).join(',');
    const { status, body } = await visit.call('data', `/v2/resolutions?condition=${conditions}`);
    const found = json.asList(body?.data)?.length ?? 0;
    return [found > ids.length / 2, `status ${status}, ${found} of ${ids.length} markets`];
  }),
  useful(
    'the Data API returns resolutions',
    'The outcome of a closed market is unknown.',
    async (visit) => {
      const { payouts, seen } = await resolution(visit);
      return [payouts.length === 2, seen];
    },
  ),
  useful(
    'a history ends with the payout',
    'The history of a resolved market has no outcome.',
    async (visit) => {
      const { payouts } = await resolution(visit);
      const { token } = await visit.resolved();
      const { body } = await visit.call(
        'data',
        `/v2/prices-history?token_id=${token}&interval=max`,
      );
      const last = json.asObject(json.asList(body?.data)?.at(-1));
      const holds = last !== undefined && last.price === Number(payouts[0]) / PAYOUT_UNITS;
      return [holds, `last point ${last?.price ?? 'missing'}, payout ${payouts[0]} millionths`];
    },
  ),
];

async function resolution(
  visit: Visit,
): Promise<{ readonly payouts: readonly unknown[]; readonly seen: string }> {
  const { conditionId } = await visit.resolved();
  const { status, body } = await visit.call('data', `/v2/resolutions?condition=${conditionId}`);
  const row = json.asObject(json.asList(body?.data)?.[0]);
  const payouts = json.asList(row?.payouts) ?? [];
  return {
    payouts,
    seen: `status ${status}, ${wordOf(row?.status) ?? 'no row'}, payouts ${payouts.join(' and ') || 'missing'}`,
  };
}
