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
 * The price chart of an event: a line for each outcome that the reader has chosen in the legend.
 *
 * @param props.rows most probable first
 * @param props.asOf time of the prices
 * @param props.end when the last outcome ends
 */
export function EventHistory(props: {
  readonly rows: readonly Row[];
  readonly asOf: Date | undefined;
  readonly end: string;
}) {
  const { rows, asOf, end } = props;
  const [chosen, setChosen] = useState(() => firstChosen(rows));
  const [now] = useState(() => Date.now() / 1_000);
  const shown = rows.filter(({ id }) => chosen.includes(id));
  const lines = shown.map((row) => ({
    token: row.clobTokenId,
    name: rows.length === 1 ? '' : nameOf(row),
    colour: colourOf(chosen, row.id),
    end: asOf && { t: asOf.getTime() / 1_000, p: row.currentProbability / 100 },
  }));
  const start = startOf(rows);
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
        readPoints={(tokens, range) => readLines(tokens, range, life)}
      />
      {rows.length > 1 && (
        <Legend
          rows={rows}
          chosen={chosen}
          toggle={(id) => setChosen((before) => toggled(before, id))}
        />
      )}
    </>
  );
}

/**
 * The ids of the shown outcomes, one place for each colour; undefined for a free colour. Lines keep
 * their colours while prices move.
 */
type Chosen = readonly (string | undefined)[];

/** The most probable outcomes, before the reader chooses others. */
function firstChosen(rows: readonly Row[]): Chosen {
  const colours = [...Array(MAX_LINES).keys()];
  return colours.map((n) => (n < FIRST_LINES ? rows[n]?.id : undefined));
}

/** The number of an outcome's colour, from 1; 0 if the outcome is not shown. */
function colourOf(chosen: Chosen, id: string): number {
  return chosen.indexOf(id) + 1;
}

/** Hides a shown outcome, or gives another one a free colour. The only line stays. */
function toggled(chosen: Chosen, id: string): Chosen {
  const isShown = chosen.includes(id);
  const place = chosen.indexOf(isShown ? id : undefined);
  const next = chosen.map((before, n) => {
    if (n !== place) return before;
    return isShown ? undefined : id;
  });
  return next.every((one) => one === undefined) ? chosen : next;
}

/** When the first outcome was created, in Unix seconds; 0 if that of one is unknown. */
function startOf(rows: readonly Row[]): number {
  const starts = rows.map(({ createdAt }) => (createdAt ? Date.parse(createdAt) / 1_000 : 0));
  return Math.min(...starts);
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

/**
 * Reads the points of each token. One shared request returns at most a month of all of them. For a
 * longer range, each token that is older needs a request of its own.
 *
 * @param life seconds since the first market of the event
 */
async function readLines(
  tokens: readonly string[],
  range: Range,
  life: number,
): Promise<ReadonlyMap<string, readonly Point[]>> {
  const query = sharedQuery(range, life);
  const { data: month } = await cached(`${JSON.stringify(query)} ${tokens}`, TTL_MS, () =>
    client.priceHistories(tokens, query),
  );
  const isLonger = (range === '3m' || range === 'max') && life >= MONTH_SECONDS;
  const monthAgo = Date.now() / 1_000 - MONTH_SECONDS;
  const readLine = async (token: string): Promise<readonly Point[]> => {
    const points = month[token]?.history ?? [];
    // If its month begins later than a month ago, the token is younger: these are all its prices.
    const isYounger = (points[0]?.t ?? 0) > monthAgo;
    return isLonger && !isYounger ? await readWhole(token, range) : points;
  };
  const lines = await Promise.all(tokens.map(readLine));
  return new Map(tokens.map((token, n) => [token, lines[n] ?? []]));
}

/** Reads the points of one token in a range of more than a month. */
async function readWhole(token: string, range: '3m' | 'max'): Promise<readonly Point[]> {
  const query = { interval: range, ...(range === '3m' ? { fidelity: FIDELITY['3m'] } : {}) };
  const { data } = await cached(`${range} ${token}`, TTL_MS, () =>
    client.priceHistory(token, query),
  );
  return data.history;
}
