/** What a person got wrong in an option or a control call: one sentence for them, nothing for a log. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** Reads the named values of a fault or another control call, with their limits, and refuses those nobody asked for. */
export class OptionReader {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #read = new Set<string>();

  constructor(values: unknown) {
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      throw new OptionError('The body must be a JSON object.');
    }
    this.#values = values as Readonly<Record<string, unknown>>;
  }

  /** A whole number; undefined where it was not given and there is no default. */
  whole(name: string, min: number, max: number): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new OptionError(`"${name}" must be a whole number from ${min} to ${max}.`);
  }

  /** A number from 0 to 1. */
  share(name: string): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
    throw new OptionError(`"${name}" must be a number from 0 to 1.`);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new OptionError(`"${name}" must be one of ${choices.join(', ')}.`);
  }

  /** One of a few numbers. */
  oneOf<T extends number>(name: string, choices: readonly T[]): T | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new OptionError(`"${name}" must be one of ${choices.join(', ')}.`);
  }

  text(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    throw new OptionError(`"${name}" must be a text.`);
  }

  flag(name: string): boolean | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw new OptionError(`"${name}" must be true or false.`);
  }

  /** Any JSON value. */
  value(name: string): unknown {
    return this.#take(name);
  }

  /** An object of strings, such as headers. */
  texts(name: string): Readonly<Record<string, string>> {
    const value = this.#take(name) ?? {};
    if (typeof value === 'object' && !Array.isArray(value)) {
      const entries = Object.entries(value);
      const good = entries.every(
        ([key, text]) => /^[\w-]+$/.test(key) && typeof text === 'string' && /^[\t\x20-\x7e]*$/.test(text),
      );
      if (good) return Object.fromEntries(entries);
    }
    throw new OptionError(`"${name}" must be an object of strings, as HTTP headers are.`);
  }

  /** Refuses what was given and never read. Call it last. */
  finish(): void {
    const unknown = Object.keys(this.#values).find((name) => !this.#read.has(name));
    if (unknown !== undefined) {
      throw new OptionError(`"${unknown}" means nothing here; there are ${[...this.#read].join(', ')}.`);
    }
  }

  #take(name: string): unknown {
    this.#read.add(name);
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }
}
