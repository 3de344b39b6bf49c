import { asList, asNumber, asObject, asPrice, asText } from '../../polymarket/json-values.ts';
import { type Fact, finding } from '../fact.ts';
import { type ProbeResponse, wordsOf } from '../probe.ts';
import { UntestableError } from '../untestable-error.ts';
import type { Visit } from '../visit.ts';

const DAY = 86_400;
/** Prices of two routes are of different moments: so far they may lie apart at the median. */
const AGREEMENT = 0.05;

/** What the history on standby has to be like. */
export const DATA_FACTS: readonly Fact[] = [
  {
    upstream: 'data',
    fact: 'gives the history of a token',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'with both of CLOB’s routes gone there would be no history',
    look: async (visit) => {
      const response = await ask(visit, 'interval=1w&bucket_seconds=3600');
      const rows = rowsOf(response);
      if (!rows) return finding(false, wordsOf(response));
      const readable = rows.filter(({ t, p }) => t !== undefined && p !== undefined).length;
      return finding(rows.length > 0 && readable === rows.length, `${rows.length} points, ${response.ms} ms`);
    },
  },
  {
    upstream: 'data',
    fact: 'its prices agree with CLOB’s',
    grade: 'C',
    severity: 'degrades',
    otherwise: 'changes would jump when the route changes',
    look: async (visit) => {
      const rows = rowsOf(await ask(visit, 'interval=1w&bucket_seconds=3600'));
      const clob = asList(asObject((await visit.sample(() => visit.week())).body)?.history) ?? [];
      const differences = (rows ?? []).flatMap(({ t, p }) => {
        const nearest = clob
          .map((point) => ({ t: asNumber(asObject(point)?.t), p: asPrice(asObject(point)?.p) }))
          .find((point) => point.t !== undefined && t !== undefined && Math.abs(point.t - t) <= 1_800);
        return nearest?.p === undefined || p === undefined ? [] : [Math.abs(nearest.p - p)];
      });
      if (differences.length === 0) throw new UntestableError('no points at the same time');
      const median = differences.toSorted((a, b) => a - b)[Math.floor(differences.length / 2)] ?? 0;
      return finding(
        median <= AGREEMENT,
        `${median.toFixed(4)} apart at the median of ${differences.length}`,
      );
    },
  },
  {
    upstream: 'data',
    fact: 'pages by a cursor',
    grade: 'A',
    severity: 'note',
    otherwise: 'long histories end after the first page',
    look: async (visit) => {
      const first = await ask(visit, 'interval=1d&bucket_seconds=300&limit=3');
      const cursor = asText(asObject(asObject(first.body)?.pagination)?.next_cursor);
      if (cursor === undefined) throw new UntestableError('fewer than four points in a day');
      const second = await ask(visit, `interval=1d&bucket_seconds=300&cursor=${encodeURIComponent(cursor)}`);
      const [last, next] = [rowsOf(first)?.at(-1)?.t ?? 0, rowsOf(second)?.[0]?.t ?? 0];
      return finding(next > last, `goes on ${next - last} s later`);
    },
  },
  {
    upstream: 'data',
    fact: 'takes a window in seconds',
    grade: 'B',
    severity: 'degrades',
    otherwise: 'with CLOB’s routes gone changes would be missing',
    look: async (visit) => {
      const now = Math.floor(visit.probe.clock.now() / 1_000);
      const [start, end] = [now - 3 * DAY, now - 2 * DAY];
      const response = await ask(visit, `start=${start}&end=${end}&bucket_seconds=3600`);
      const rows = rowsOf(response);
      if (!rows) return finding(false, wordsOf(response));
      const inside = rows.filter(({ t }) => t !== undefined && t >= start - 3_600 && t <= end).length;
      return finding(inside === rows.length && rows.length > 0, `${inside} of ${rows.length} points inside`);
    },
  },
  {
    upstream: 'data',
    fact: 'an unknown token has an empty history',
    grade: 'A',
    severity: 'note',
    otherwise: 'an unknown token may be 502 with CLOB’s routes gone',
    look: async (visit) => {
      const response = await visit.probe.get('data', '/v2/prices-history?token_id=1&interval=1d');
      return finding(response.status === 200 && rowsOf(response)?.length === 0, wordsOf(response));
    },
  },
  {
    upstream: 'data',
    fact: 'says of an error whether to try again',
    grade: 'B',
    severity: 'note',
    otherwise: 'useless calls are repeated',
    look: async (visit) => {
      const response = await visit.probe.get('data', '/v2/prices-history?market=1&interval=1d');
      const { retryable } = asObject(response.body) ?? {};
      return finding(response.status === 400 && retryable === false, wordsOf(response));
    },
  },
];

async function ask(visit: Visit, query: string): Promise<ProbeResponse> {
  const { yesTokenId } = await visit.market();
  return await visit.probe.get('data', `/v2/prices-history?token_id=${yesTokenId}&${query}`);
}

function rowsOf({ body }: ProbeResponse) {
  const data = asObject(body)?.data;
  if (!Array.isArray(data)) return undefined;
  return data.map((row) => ({ t: asNumber(asObject(row)?.timestamp), p: asPrice(asObject(row)?.price) }));
}
