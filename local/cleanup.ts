/** What has to be undone when the service stops or fails to start. */
export class Cleanup {
  readonly #tasks: (() => Promise<void>)[] = [];
  #done: Promise<void> | undefined;

  add(task: () => Promise<void>): void {
    this.#tasks.push(task);
  }

  /** Undoes everything, all at once; again, it gives the same promise. */
  run(): Promise<void> {
    this.#done ??= Promise.allSettled(this.#tasks.map((task) => task())).then(() => undefined);
    return this.#done;
  }
}
