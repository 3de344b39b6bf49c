import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { withDeadline } from '../platform/timeout.ts';
import type { CallerNames } from './client-key.ts';
import { momentOf } from './dynamodb-items.ts';
import type { Recorded, RequestLog } from './request-log.ts';
import { type AddressLimit, judge, type Verdict, WINDOW_MS } from './sliding-window.ts';

export interface TableLimitOptions {
  readonly limit: number;
  readonly names: CallerNames;
  readonly log: RequestLog;
  readonly clock: Clock;
  /** Told of each request that could not be counted or taken back. */
  readonly onUnavailable: (error: unknown) => void;
  /** Told of each refusal; `known`: without asking the table. */
  readonly onRefused: (callerName: string, known: boolean) => void;
}

/** Time the table has before a request is served uncounted (design 2.5). */
const BUDGET_MS = 500;
/** Refused callers held in memory; the one asked for least recently is forgotten first, and asks the table again. */
const REFUSED_HELD = 10_000;
/** The longest a refusal is repeated without asking: an entry may have been taken back that another refusal saw. */
const KNOWN_MS = 5_000;
/** Entries this much older than the window are useless whatever the clocks of the containers say. */
const USELESS_AGE_MS = WINDOW_MS + 5_000;
/** Useless entries are erased this many at once: one request in twenty needs a second write, not every one. */
const ERASED_AT_ONCE = 20;

/**
 * The per-IP limit over all containers: a request is put into its caller's log, judged by what was there before it,
 * and taken out again when it is refused, so that only requests that were served count.
 */
export class TableLimit implements AddressLimit {
  readonly limit: number;
  private readonly options: TableLimitOptions;
  private readonly refused = new LRUCache<string, Verdict & { readonly until: number }>({
    max: REFUSED_HELD,
  });

  constructor(options: TableLimitOptions) {
    this.options = options;
    this.limit = options.limit;
  }

  /**
   * Makes ready while the container starts, where Lambda lends a full CPU: the key is there then, and a connection to
   * the table. A failure is met again by the first request. Never rejects.
   */
  async prepare(): Promise<void> {
    const { names, clock } = this.options;
    await withDeadline(clock, BUDGET_MS, () => names.load()).catch(() => undefined);
  }

  knownRefusal(address: string): Verdict | undefined {
    const { names, clock, onRefused } = this.options;
    const name = names.knownNameOf(address);
    const known = name === undefined ? undefined : this.refused.get(name);
    if (name === undefined || known === undefined || clock.now() >= known.until) return undefined;
    onRefused(name, true);
    return known;
  }

  async count(address: string): Promise<Verdict | undefined> {
    const { names, log, clock, onUnavailable, onRefused } = this.options;
    const deadline = clock.now() + BUDGET_MS;
    try {
      const { name, moment, recorded } = await withDeadline(clock, BUDGET_MS, async (signal) => {
        const name = await names.nameOf(address);
        const moment = clock.now();
        return { name, moment, recorded: await log.record(name, moment, signal) };
      });
      const verdict = judge(this.limit, moment, recorded.others.map(momentOf));
      if (!verdict.allowed) {
        this.refused.set(name, { ...verdict, until: Math.min(verdict.resetAt, moment + KNOWN_MS) });
        onRefused(name, false);
      }
      await this.erase(name, toErase(recorded, verdict, moment), deadline);
      return verdict;
    } catch (error) {
      // Whatever it is: a limit that cannot be kept must not take the service down with it.
      onUnavailable(error);
      return undefined;
    }
  }

  /** What stays in the log by a failure counts until it is old: the limit is kept all the same. */
  private async erase(name: string, entries: readonly Uint8Array[], deadline: number): Promise<void> {
    const { log, clock, onUnavailable } = this.options;
    if (entries.length === 0) return;
    try {
      await withDeadline(clock, Math.max(0, deadline - clock.now()), (signal) =>
        log.erase(name, entries, signal),
      );
    } catch (error) {
      onUnavailable(error);
    }
  }
}

function toErase({ entry, others }: Recorded, verdict: Verdict, now: number): readonly Uint8Array[] {
  const useless = others.filter((other) => momentOf(other) <= now - USELESS_AGE_MS);
  return [...(useless.length < ERASED_AT_ONCE ? [] : useless), ...(verdict.allowed ? [] : [entry])];
}
