import { useState } from 'preact/hooks';
import type { Point } from '../charts/layout.ts';
import { FIDELITY, firstRange, type Range, rangesOf, sharedQuery } from '../charts/ranges.ts';
import { date, percent } from '../format.ts';
import type { Row } from '../state/list.ts';
import { cached, client } from '../state/service.ts';
import { History } from './history.tsx';

/** The number of lines before the reader chooses others. */
const FIRST_LINES = 5;
/** The largest number of lines. The style sheet has as many colours. */
const MAX_LINES = 8;
/** The outcomes that the legend offers before the reader requests the others. */
const OFFERED = 8;
/** Histories are read again after four minutes. */
const TTL_MS = 240_000;
/** A little less than the month of one shared request: prices can begin later than a market. */
const MONTH_SECONDS = 29 * 86_400;

/**
 * The ids of the shown outcomes, one place for each colour; undefined for a free colour. Lines keep
 * their colours while prices move.
 */
type Chosen = readonly (string | undefined)[];
/** The number of an outcome's colour, from 1; 0 if the outcome is not shown. */
const colourOf = (chosen: Chosen, id: string) => chosen.indexOf(id) + 1;

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
  const [chosen, setChosen] = useState<Chosen>(() =>
    Array.from({ length: MAX_LINES }, (_, n) => (n < FIRST_LINES ? rows[n]?.id : undefined)),
  );
  const toggle = (id: string) => {
    const isShown = chosen.includes(id);
    const place = chosen.indexOf(isShown ? id : undefined);
    const changed = isShown ? undefined : id;
    const next = chosen.map((before, n) => (n === place ? changed : before));
    // The reader cannot remove the only line.
    if (next.some((one) => one !== undefined)) setChosen(next);
  };
  const lines = rows.flatMap((row) => {
    const colour = colourOf(chosen, row.id);
    if (colour === 0) return [];
    const name = rows.length === 1 ? '' : nameOf(row);
    const current = asOf && { t: asOf.getTime() / 1_000, p: row.currentProbability / 100 };
    return [{ token: row.clobTokenId, name, colour, end: current }];
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

/** The outcomes as buttons that show and hide their lines. */
function Legend(props: {
  readonly rows: readonly Row[];
  readonly chosen: Chosen;
  readonly toggle: (id: string) => void;
}) {
  const { rows, chosen, toggle } = props;
  const [all, setAll] = useState(false);
  const isFull = !chosen.includes(undefined);
  return (
    <fieldset class="legend" aria-label="Outcomes in the chart">
      {rows.map((row, n) => {
        const colour = colourOf(chosen, row.id);
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

/** The name of an outcome within its event. */
const nameOf = ({ groupItemTitle, question }: Row) => groupItemTitle ?? question;

/** The points by token. */
type Histories = ReadonlyMap<string, readonly Point[]>;

/**
 * Reads the histories of tokens by one shared request, which returns at most a month. For a longer
 * range, each token that is older needs a request of its own.
 *
 * @param life seconds since the first market of the event
 */
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
  const readLonger = async (token: string): Promise<[string, readonly Point[]]> => {
    const month = lines.get(token) ?? [];
    // If the month begins later than a month ago, the token is younger: these are all its prices.
    if ((month[0]?.t ?? 0) > monthAgo) return [token, month];
    const { data } = await cached(`${range} ${token}`, TTL_MS, () =>
      client.priceHistory(token, longer),
    );
    return [token, data.history];
  };
  return new Map(await Promise.all(tokens.map(readLonger)));
}
