/** Loads of which at most one is under way for each key: whoever asks meanwhile shares it, success or failure. */
export class SingleFlight<V> {
  readonly #loads = new Map<string, Promise<V>>();

  /** @throws whatever `load` throws, to all who share it; the next call loads again */
  run(key: string, load: () => Promise<V>): Promise<V> {
    return this.#loads.get(key) ?? this.#start(key, load);
  }

  #start(key: string, load: () => Promise<V>): Promise<V> {
    const loading = load().finally(() => this.#loads.delete(key));
    this.#loads.set(key, loading);
    return loading;
  }
}
