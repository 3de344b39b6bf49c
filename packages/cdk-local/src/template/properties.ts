import { isObject, type Json, type JsonObject, listAt, objectAt, stringAt, TemplateError } from './json.ts';

/** Evaluates the intrinsic functions of a value; `undefined` for `AWS::NoValue`. */
export type Resolve = (value: Json, where: string) => Json | undefined;

/**
 * Reads properties of a resource. Each is resolved when it is asked for, so that what the local server does not
 * use need not be known to it; what it does use and cannot resolve is a `TemplateError` that names the place.
 */
export class Properties {
  readonly #values: JsonObject;
  readonly #where: string;
  readonly #resolve: Resolve;

  constructor(values: JsonObject, where: string, resolve: Resolve) {
    this.#values = values;
    this.#where = where;
    this.#resolve = resolve;
  }

  where(name: string): string {
    return `${this.#where}.${name}`;
  }

  names(): string[] {
    return Object.keys(this.#values);
  }

  /** The resolved property, `undefined` when absent. */
  json(name: string): Json | undefined {
    const value = this.#values[name];
    return value === undefined ? undefined : this.#resolve(value, this.where(name));
  }

  has(name: string): boolean {
    return this.json(name) !== undefined;
  }

  string(name: string): string {
    return stringAt(this.json(name), this.where(name));
  }

  optionalString(name: string): string | undefined {
    return this.has(name) ? this.string(name) : undefined;
  }

  number(name: string): number {
    const value = Number(this.string(name));
    if (!Number.isFinite(value)) throw new TemplateError(`${this.where(name)} must be a number`);
    return value;
  }

  optionalNumber(name: string): number | undefined {
    return this.has(name) ? this.number(name) : undefined;
  }

  boolean(name: string, absent = false): boolean {
    const value = this.json(name);
    return value === undefined ? absent : value === true || value === 'true';
  }

  /** Properties of a nested object, `undefined` when absent. */
  object(name: string): Properties | undefined {
    const value = this.json(name);
    return value === undefined ? undefined : this.#nested(value, this.where(name));
  }

  /**
   * Properties of a nested object, each resolved when it is asked for: for objects of which a part is of use here and
   * another cannot be resolved. Undefined when absent.
   */
  section(name: string): Properties | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    return new Properties(objectAt(value, this.where(name)), this.where(name), this.#resolve);
  }

  /** Properties of each object in a list, none when absent. */
  objects(name: string): Properties[] {
    const value = this.json(name);
    if (value === undefined) return [];
    return listAt(value, this.where(name)).map((entry, index) =>
      this.#nested(entry, `${this.where(name)}[${index}]`),
    );
  }

  /** A flat map of texts, empty when absent. */
  strings(name: string): Record<string, string> {
    const value = this.json(name);
    if (value === undefined) return {};
    const entries = Object.entries(objectAt(value, this.where(name)));
    return Object.fromEntries(
      entries.map(([key, entry]) => [key, stringAt(entry, `${this.where(name)}.${key}`)]),
    );
  }

  /** Resolved already: nested values are plain. */
  #nested(value: Json, where: string): Properties {
    if (!isObject(value)) throw new TemplateError(`${where} must be an object`);
    return new Properties(value, where, (plain) => plain);
  }
}
