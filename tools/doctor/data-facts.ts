import * as json from '../../lambda/io/polymarket/json-values.ts';
import { historyFinding, useful } from './fact.ts';
import type { Visit } from './visit.ts';

/** Payouts are in millionths of a dollar. */
const PAYOUT_UNITS = 1_000_000;

export const DATA_FACTS = [
  useful(
    'the Data API returns a whole life',
    'Histories that CLOB lacks are missing or short.',
    async (visit) => {
      const path = `/v2/prices-history?token_id=${await visit.token()}&interval=max&bucket_seconds=10800`;
      const { status, body } = await visit.call('data', path);
      const [holds, seen] = historyFinding(status, body?.data, 'price');
      const steps =
        json
          .asList(body?.data)
          ?.filter((point) => json.asObject(point)?.resolution_seconds === 10_800) ?? [];
      return [holds && steps.length > 0, `${seen}, ${steps.length} of them a step of three hours`];
    },
  ),
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
    seen: `status ${status}, ${row?.status ?? 'no row'}, payouts ${payouts.join(' and ') || 'missing'}`,
  };
}
