import { useState } from 'preact/hooks';
import type { Point } from '../charts/layout.ts';
import { FIDELITY, finerQuery, type Range } from '../charts/ranges.ts';
import { date, percent } from '../format.ts';
import type { Row } from '../state/list.ts';
import { client } from '../state/service.ts';
import { History } from './history.tsx';

/** Lines at first, and lines at most: as many as there are colours that differ. */
const FIRST_LINES = 5;
const MAX_LINES = 8;
/** Outcomes that can be chosen before the reader requests the others. */
const OFFERED = 8;
const KEPT_MS = 240_000;
const MONTH_SECONDS = 29 * 86_400;

/** Histories by range and token. One more outcome or another range reads only what is missing. */
const kept = new Map<string, { readonly points: readonly Point[]; readonly until: number }>();

/** Outcomes of an event over time; a click adds or removes one. @param props.rows most probable first @param props.asOf time of the prices */
export function EventHistory(props: {
  readonly rows: readonly Row[];
  readonly asOf: Date | undefined;
  readonly end: string;
}) {
  const { rows, asOf, end } = props;
  // By colour. Chosen once: the lines keep their colours while prices move.
  const [chosen, setChosen] = useState<readonly (string | undefined)[]>(() =>
    Array.from({ length: MAX_LINES }, (_, n) => (n < FIRST_LINES ? rows[n]?.id : undefined)),
  );
  const [all, setAll] = useState(false);
  const count = chosen.filter((id) => id !== undefined).length;
  const toggle = (id: string) => {
    const colour = chosen.includes(id) ? chosen.indexOf(id) : chosen.indexOf(undefined);
    if (chosen.includes(id) && count === 1) return;
    setChosen(chosen.map((before, n) => (n === colour ? (before === id ? undefined : id) : before)));
  };
  const lines = rows.flatMap((row) => {
    const colour = chosen.indexOf(row.id) + 1;
    const now = asOf && { t: asOf.getTime() / 1_000, p: row.currentProbability / 100 };
    return colour > 0 ? [{ token: row.clobTokenId, name: rows.length === 1 ? '' : nameOf(row), colour, end: now }] : [];
  });
  const ended = Date.parse(end) < (asOf?.getTime() ?? 0);
  return (
    <>
      <History
        ranges={['1d', '1w', '1m', '3m', 'max']}
        first="1m"
        lines={lines}
        mark={ended ? { t: Date.parse(end) / 1_000, text: `End date ${date(end)}` } : undefined}
        isLive
        read={(range, signal) =>
          readLines(
            lines.map(({ token }) => token),
            range,
            signal,
          )
        }
      />
      {rows.length > 1 && (
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
                disabled={colour === 0 && count === MAX_LINES}
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
            <button type="button" class="chip more-outcomes" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? 'Fewer' : `All ${rows.length}`}
            </button>
          )}
        </fieldset>
      )}
    </>
  );
}

const nameOf = ({ groupItemTitle, question }: Row) => groupItemTitle ?? question;

/** The histories of several tokens: up to a month in one request, more in one for each token that is older. */
async function readLines(
  tokens: readonly string[],
  range: Range,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Point[]>> {
  const isLong = range === '3m' || range === 'max';
  const short = await readShort(tokens, isLong ? '1m' : range, signal);
  if (!isLong) return short;
  const now = Date.now() / 1_000;
  const lines = tokens.map(async (token) => {
    const month = short.get(token) ?? [];
    // A month with a later beginning is the whole life.
    if ((month[0]?.t ?? 0) > now - MONTH_SECONDS) return [token, month] as const;
    const read = () =>
      client.priceHistory(
        token,
        { interval: range, ...(range === '3m' ? { fidelity: FIDELITY['3m'] } : {}) },
        { signal },
      );
    return [token, keptPoints(range, token) ?? keep(range, token, (await read()).data.history)] as const;
  });
  return new Map(await Promise.all(lines));
}

async function readShort(tokens: readonly string[], range: '1d' | '1w' | '1m', signal: AbortSignal) {
  const missing = tokens.filter((token) => !keptPoints(range, token));
  const read = async (some: readonly string[], query: { interval: typeof range; fidelity: number }) => {
    const { data } = await client.priceHistories(some, query, { signal });
    for (const [token, history] of Object.entries(data)) if (history) keep(range, token, history.history);
  };
  if (missing.length > 0) {
    await read(missing, { interval: range, fidelity: FIDELITY[range] });
    const points = missing.map((token) => keptPoints(range, token) ?? []);
    // Outcomes of one event have one age.
    const finer = finerQuery(
      points.reduce((long, some) => (some.length > long.length ? some : long)),
      Date.now() / 1_000,
    );
    if (finer) await read(missing, finer);
  }
  return new Map(tokens.map((token) => [token, keptPoints(range, token) ?? []]));
}

function keptPoints(range: Range, token: string): readonly Point[] | undefined {
  const known = kept.get(`${range} ${token}`);
  return known && known.until > Date.now() ? known.points : undefined;
}

function keep(range: Range, token: string, points: readonly Point[]): readonly Point[] {
  kept.set(`${range} ${token}`, { points, until: Date.now() + KEPT_MS });
  return points;
}
