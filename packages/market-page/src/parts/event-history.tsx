import { useState } from 'preact/hooks';
import type { Point } from '../charts/layout.ts';
import { FIDELITY, firstRange, type Range, rangesOf, sharedQuery } from '../charts/ranges.ts';
import { date, percent } from '../format.ts';
import type { Row } from '../state/list.ts';
import { cached, client } from '../state/service.ts';
import { History } from './history.tsx';

/** The lines of a chart at first. */
const FIRST_LINES = 5;
/** The most lines: there are as many different colours. */
const MAX_LINES = 8;
/** The outcomes that the legend offers before the reader requests the others. */
const OFFERED = 8;
/** Histories are read again after four minutes. */
const TTL_MS = 240_000;
const MONTH_SECONDS = 29 * 86_400;

/**
 * The price chart of an event: a line for each chosen outcome.
 *
 * @param props.rows most probable first
 * @param props.asOf time of the prices
 */
export function EventHistory(props: {
  readonly rows: readonly Row[];
  readonly asOf: Date | undefined;
  readonly end: string;
}) {
  const { rows, asOf, end } = props;
  // By colour. Chosen once: lines keep their colours while prices move.
  const [chosen, setChosen] = useState<readonly (string | undefined)[]>(() =>
    Array.from({ length: MAX_LINES }, (_, n) => (n < FIRST_LINES ? rows[n]?.id : undefined)),
  );
  const toggle = (id: string) => {
    const colour = chosen.includes(id) ? chosen.indexOf(id) : chosen.indexOf(undefined);
    const next = chosen.map((before, n) =>
      n === colour ? (before === id ? undefined : id) : before,
    );
    // The last line stays.
    if (next.some((one) => one !== undefined)) setChosen(next);
  };
  const lines = rows.flatMap((row) => {
    const colour = chosen.indexOf(row.id) + 1;
    const now = asOf && { t: asOf.getTime() / 1_000, p: row.currentProbability / 100 };
    return colour > 0
      ? [{ token: row.clobTokenId, name: rows.length === 1 ? '' : nameOf(row), colour, end: now }]
      : [];
  });
  const [now] = useState(() => Date.now() / 1_000);
  const starts = rows.map(({ createdAt }) =>
    createdAt === undefined ? 0 : Date.parse(createdAt) / 1_000,
  );
  const start = Math.min(...starts);
  const life = now - start;
  const ranges = rangesOf({ start, end: undefined, resolved: undefined }, now);
  const ended = Date.parse(end) < (asOf?.getTime() ?? 0);
  return (
    <>
      <History
        ranges={ranges}
        first={firstRange(ranges)}
        lines={lines}
        mark={ended ? { t: Date.parse(end) / 1_000, text: `End date ${date(end)}` } : undefined}
        isLive
        read={(tokens, range) => readLines(tokens, range, life)}
      />
      {rows.length > 1 && <Legend rows={rows} chosen={chosen} toggle={toggle} />}
    </>
  );
}

/** @param props.chosen ids by colour */
function Legend(props: {
  readonly rows: readonly Row[];
  readonly chosen: readonly (string | undefined)[];
  readonly toggle: (id: string) => void;
}) {
  const { rows, chosen, toggle } = props;
  const [all, setAll] = useState(false);
  const isFull = !chosen.includes(undefined);
  return (
    <fieldset class="legend" aria-label="Outcomes in the chart">
      {rows.map((row, n) => {
        const colour = chosen.indexOf(row.id) + 1;
        if (n >= OFFERED && !all && colour === 0) return null;
        return (
          <button
            key={row.id}
            type="button"
            class="chip"
            aria-pressed={colour > 0}
            disabled={colour === 0 && isFull}
            title={nameOf(row)}
            style={{ '--series': `var(--series-${colour})` }}
            onClick={() => toggle(row.id)}
          >
            <i class="dot" />
            <span>{nameOf(row)}</span>
            <b>{percent(row.currentProbability)}</b>
          </button>
        );
      })}
      {rows.length > OFFERED && (
        <button type="button" class="chip" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Fewer' : `All ${rows.length}`}
        </button>
      )}
    </fieldset>
  );
}

const nameOf = ({ groupItemTitle, question }: Row) => groupItemTitle ?? question;

type Histories = ReadonlyMap<string, readonly Point[]>;

/** Up to a month in one request, more in one for each older token. @param life in seconds */
async function readLines(
  tokens: readonly string[],
  range: Range,
  life: number,
): Promise<Histories> {
  const query = sharedQuery(range, life);
  const lines = await cached(
    `${JSON.stringify(query)} ${tokens}`,
    TTL_MS,
    async (): Promise<Histories> => {
      const { data } = await client.priceHistories(tokens, query);
      return new Map(tokens.map((token) => [token, data[token]?.history ?? []]));
    },
  );
  if ((range !== '3m' && range !== 'max') || life < MONTH_SECONDS) return lines;
  const monthAgo = Date.now() / 1_000 - MONTH_SECONDS;
  const longer = { interval: range, ...(range === '3m' ? { fidelity: FIDELITY['3m'] } : {}) };
  const read = async (token: string): Promise<[string, readonly Point[]]> => {
    const month = lines.get(token) ?? [];
    // A month that begins later is the whole life.
    if ((month[0]?.t ?? 0) > monthAgo) return [token, month];
    const { data } = await cached(`${range} ${token}`, TTL_MS, () =>
      client.priceHistory(token, longer),
    );
    return [token, data.history];
  };
  return new Map(await Promise.all(tokens.map(read)));
}
