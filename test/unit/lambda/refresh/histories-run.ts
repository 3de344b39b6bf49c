import type { PricePoint } from '../../../../lambda/domain/change.ts';
import { Histories } from '../../../../lambda/refresh/histories.ts';
import type { HistoryRange, PastKind, PriceHistories } from '../../../../lambda/refresh/ports.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

export const HOUR_MS = 3_600_000;
const DAY_DEADLINE = 2_000;
const MONTH_DEADLINE = 1_000;

interface Setup {
  /** Ms that the memory has been there for; undefined: it is new. */
  readonly memoryAge?: number;
  readonly tokensPerCall?: number;
  readonly histories?: PriceHistories['histories'];
  readonly opening?: Promise<unknown>;
  readonly unpriced?: readonly string[];
  /** What the memory knows. */
  readonly known?: Readonly<Partial<Record<PastKind, readonly string[]>>>;
  readonly clock?: ManualClock;
}

/** A memory of a day, as most runs find it. */
export const OLD = { memoryAge: 24 * HOUR_MS };

/** Histories of a run, what they ask of upstream, and what the memory learns. */
export async function historiesOf(options: Setup = {}) {
  const { memoryAge, tokensPerCall, unpriced = [], known = {}, clock = new ManualClock() } = options;
  const report = new RunReport();
  const calls: { tokens: number; kind: PastKind; range: HistoryRange }[] = [];
  const asked: Record<PastKind, string[]> = { day: [], month: [] };
  const learnt: [PastKind, ReadonlyMap<string, readonly PricePoint[]>, number][] = [];
  const at = async (tokens: readonly string[], { start }: HistoryRange) =>
    new Map(tokens.map((token) => [token, [{ t: start, p: 0.4 }]]));
  const prices: PriceHistories = {
    ...(tokensPerCall === undefined ? {} : { tokensPerCall }),
    histories: async (tokens, range, deadline) => {
      const kind = deadline === DAY_DEADLINE ? 'day' : 'month';
      calls.push({ tokens: tokens.length, kind, range });
      asked[kind].push(...tokens.filter((token) => !asked[kind].includes(token)));
      return await (options.histories ?? at)(tokens, range, deadline);
    },
  };
  const histories = new Histories(
    prices,
    {
      since: memoryAge === undefined ? undefined : clock.now() - memoryAge,
      open: async () => 0,
      baseline: () => undefined,
      wants: (kind, token) => !known[kind]?.includes(token),
      learn: (...what) => learnt.push(what),
      keep: async () => true,
    },
    options.opening ?? Promise.resolve(),
    clock,
    { day: DAY_DEADLINE, month: MONTH_DEADLINE, catalogue: 0, prices: 0 },
    report,
    new Set(unpriced),
  );
  // By then the memory is open.
  if (!options.opening) await histories.settle([], 0);
  return { histories, calls, asked, learnt, report, clock };
}

export const tokensOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `token-${from + n}`);
