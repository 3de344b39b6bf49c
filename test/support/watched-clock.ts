import { ManualClock } from './manual-clock.ts';

/** A manual clock that says when the code under test begins to wait. Real sockets need it: nothing else tells when. */
export class WatchedClock extends ManualClock {
  readonly #begun: number[] = [];
  #watchers: { ms: number; resolve: () => void }[] = [];

  override after(ms: number, callback: () => void): () => void {
    const cancel = super.after(ms, callback);
    this.#begun.push(ms);
    for (const watcher of this.#watchers) if (watcher.ms === ms) watcher.resolve();
    this.#watchers = this.#watchers.filter((watcher) => watcher.ms !== ms);
    return cancel;
  }

  /** Resolves when a timer of this many milliseconds has begun, and lets its time pass. */
  async passTimer(ms: number): Promise<void> {
    if (!this.#begun.includes(ms)) {
      await new Promise<void>((resolve) => this.#watchers.push({ ms, resolve }));
    }
    this.#begun.splice(0, this.#begun.indexOf(ms) + 1);
    await this.advance(ms);
  }
}
