/** What objects of one kind were like: how many there were, and of each key how many had it, by the type of its value. */
export interface ShapeCount {
  readonly objects: number;
  readonly keys: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export type ShapeKind = 'market' | 'event' | 'book';

/** What one run saw of the upstreams. What it had no occasion to see is left out. */
export interface Observation {
  readonly shapes: Readonly<Partial<Record<ShapeKind, ShapeCount>>>;
  /** Catalogue records in all, and those that could not be read, by reason. */
  readonly records: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** Protocol versions that the service does not know. */
  readonly unknownVersions: readonly string[];
  /** Addresses in `$schema`. */
  readonly schemas: readonly string[];
  /** Markets of the largest page that was not the last. */
  readonly pageSize?: number;
  /** Filters and orders that were asked for: whether the pages looked like it. */
  readonly honoured: Readonly<Record<string, boolean>>;
  /** The route that gave the last price history. */
  readonly historyRoute?: string;
}

/** What is remembered of earlier runs; it changes only when the upstream does. */
export interface Known extends Omit<Observation, 'records' | 'shapes'> {
  /** Of each key the share of objects that had it when it was first or last remarkable, and the types of its values. */
  readonly shapes: Readonly<Partial<Record<ShapeKind, Readonly<Record<string, KnownKey>>>>>;
  /** The share of the records, the same way. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface KnownKey {
  /** 0..1, two decimals. */
  readonly share: number;
  readonly types: readonly string[];
}

/** One thing that is not as it was. */
export interface Change {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}
