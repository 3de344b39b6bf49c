import { CHANGE_WINDOWS, type ChangeWindow, latestBaselineDelay } from '../domain/change.ts';
import type { Sample } from './sample.ts';
import { TICK_MS } from './ticks.ts';

/** Samples at and before the start that are held, so that a market which lacks one has another. */
const BEHIND = 6;
/** Where all of those are missing, the refresher stood still: the newest of the half day before it does. */
const MOST_BEHIND_MS = 12 * 3_600_000;
/** Samples looked for at once on the way back. */
const STRIDE = 30;
/** Of those after the start so many are looked at: they only count for markets that were not listed before. */
const AHEAD = 8;
/** `asOf` comes after the opening of the memory by at most so much. */
const RUN_MS = 120_000;

export type LoadSample = (tick: number) => Promise<Sample | undefined>;

/** The samples around the start of one window, which moves on with each run. */
export class WindowSamples {
  readonly #window: ChangeWindow;
  /** By tick; undefined where there is none. */
  #held = new Map<number, Sample | undefined>();

  constructor(window: ChangeWindow) {
    this.#window = window;
  }

  /**
   * Loads what a run that begins `now` may need and is not held yet. What cannot be loaded is tried again next time.
   *
   * @param since ms: there is nothing before; undefined where nobody knows
   * @returns how many loads failed
   */
  async move(now: number, since: number | undefined, load: LoadSample): Promise<number> {
    const start = now - CHANGE_WINDOWS[this.#window] * 1_000;
    const newest = Math.floor((start + RUN_MS) / TICK_MS);
    const oldest = Math.floor(start / TICK_MS) - BEHIND;
    const step = Math.max(1, Math.floor((latestBaselineDelay(this.#window) * 1_000) / TICK_MS / AHEAD));
    const ahead = Array.from({ length: AHEAD + 1 }, (_, n) => (Math.floor(newest / step) + n) * step);
    const behind = Array.from({ length: newest - oldest + 1 }, (_, n) => oldest + n);
    let failed = await this.#load([...behind, ...ahead], since, load);
    const last = Math.floor((start - MOST_BEHIND_MS) / TICK_MS);
    for (
      let tick = oldest - 1;
      since !== undefined && tick >= last && !this.#hasOneAt(start);
      tick -= STRIDE
    ) {
      failed += await this.#load(
        Array.from({ length: STRIDE }, (_, n) => tick - n),
        since,
        load,
      );
    }
    this.#forget(start, oldest);
    return failed;
  }

  /** The price at or before `start` (ms), newest first; else the first one after it that is near enough. */
  price(key: number, start: number): { readonly at: number; readonly price: number } | undefined {
    const latest = start + latestBaselineDelay(this.#window) * 1_000;
    let before: { at: number; price: number } | undefined;
    let after: { at: number; price: number } | undefined;
    for (const sample of this.#held.values()) {
      if (!sample || sample.at > latest) continue;
      const { at } = sample;
      if (
        at <= start
          ? at <= (before?.at ?? Number.NEGATIVE_INFINITY)
          : before || at >= (after?.at ?? Number.POSITIVE_INFINITY)
      )
        continue;
      const price = sample.price(key);
      if (price === undefined) continue;
      if (at <= start) before = { at, price };
      else after = { at, price };
    }
    return before ?? after;
  }

  #hasOneAt(start: number): boolean {
    for (const sample of this.#held.values()) if (sample && sample.at <= start) return true;
    return false;
  }

  async #load(ticks: readonly number[], since: number | undefined, load: LoadSample): Promise<number> {
    const first = since === undefined ? Number.NEGATIVE_INFINITY : Math.floor(since / TICK_MS);
    const due = new Set(ticks.filter((tick) => tick >= first && !this.#held.has(tick)));
    let failed = 0;
    await Promise.all(
      [...due].map(async (tick) => {
        try {
          this.#held.set(tick, await load(tick));
        } catch {
          failed += 1;
        }
      }),
    );
    return failed;
  }

  /** Drops what lies too far behind, but for the newest sample before the start. */
  #forget(start: number, oldest: number): void {
    let newest = Number.NEGATIVE_INFINITY;
    for (const [tick, sample] of this.#held)
      if (sample && sample.at <= start) newest = Math.max(newest, tick);
    for (const tick of this.#held.keys()) if (tick < Math.min(oldest, newest)) this.#held.delete(tick);
  }
}
