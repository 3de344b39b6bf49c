import {
  type AppendLimits,
  type LogState,
  type Replacement,
  type RequestLog,
  ThrottledError,
} from '../../lambda/rate-limit/request-log.ts';

export interface MemoryRequestLogOptions {
  readonly now: () => number;
  /** Write units that one list takes in a second. @default unlimited */
  readonly unitsPerSecond?: number;
}

/** Overhead of an entry and of the other attributes in an item, bytes, as DynamoDB counts them. */
const ENTRY_BYTES = 11;
const ITEM_BYTES = 60;
const UNIT_BYTES = 1_024;

/** A request log in memory that is billed and throttled as DynamoDB does it. */
export class MemoryRequestLog implements RequestLog {
  readonly #options: MemoryRequestLogOptions;
  readonly #lists = new Map<string, readonly Uint8Array[]>();
  readonly #units = new Map<string, number>();
  /** Write units so far, those of conditions that did not hold included. */
  units = 0;
  throttled = 0;

  constructor(options: MemoryRequestLogOptions) {
    this.#options = options;
  }

  entries(clientKey: string): readonly Uint8Array[] {
    return this.#lists.get(clientKey) ?? [];
  }

  async append(clientKey: string, entry: Uint8Array, { most }: AppendLimits): Promise<LogState> {
    const entries = this.entries(clientKey);
    return this.#write(clientKey, entries.length < most ? [...entries, entry] : undefined);
  }

  async replace(
    clientKey: string,
    seen: readonly Uint8Array[],
    { entries: others }: Replacement,
  ): Promise<LogState> {
    const entries = this.entries(clientKey);
    const unchanged = entries.length === seen.length && sameEntry(entries.at(-1), seen.at(-1));
    return this.#write(clientKey, unchanged ? others : undefined);
  }

  /** @param entries undefined where the condition does not hold */
  #write(clientKey: string, entries: readonly Uint8Array[] | undefined): LogState {
    const bytes = ITEM_BYTES + ENTRY_BYTES * Math.max(this.entries(clientKey).length, entries?.length ?? 0);
    this.#bill(clientKey, Math.ceil(bytes / UNIT_BYTES));
    if (entries) this.#lists.set(clientKey, entries);
    return { written: entries !== undefined, entries: this.entries(clientKey) };
  }

  #bill(clientKey: string, units: number): void {
    const { now, unitsPerSecond = Number.POSITIVE_INFINITY } = this.#options;
    const second = `${clientKey} ${Math.floor(now() / 1_000)}`;
    const used = (this.#units.get(second) ?? 0) + units;
    if (used > unitsPerSecond) {
      this.throttled += 1;
      throw new ThrottledError('more than a key takes');
    }
    this.#units.set(second, used);
    this.units += units;
  }
}

function sameEntry(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
}
