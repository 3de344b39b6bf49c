import { baseline, type ChangeWindow, type PricePoint } from '../domain/change.ts';
import type { Baseline, PastKind, PriceMemory } from './ports.ts';

/** A memory for one run: it knows what upstream has told in it, and nothing afterwards. */
export class ForgetfulMemory implements PriceMemory {
  readonly since = undefined;
  readonly #told: Readonly<Record<PastKind, Map<string, readonly PricePoint[]>>> = {
    day: new Map(),
    month: new Map(),
  };

  async open(): Promise<number> {
    return 0;
  }

  baseline(token: string, window: ChangeWindow, asOf: number): Baseline | undefined {
    const points = [...(this.#told.month.get(token) ?? []), ...(this.#told.day.get(token) ?? [])];
    const price = baseline(points, asOf / 1_000, window);
    return price === undefined ? undefined : { price, own: false };
  }

  wants(kind: PastKind, token: string): boolean {
    return !this.#told[kind].has(token);
  }

  learn(kind: PastKind, histories: ReadonlyMap<string, readonly PricePoint[]>): void {
    for (const [token, points] of histories) this.#told[kind].set(token, points);
  }

  async keep(): Promise<boolean> {
    return true;
  }
}
