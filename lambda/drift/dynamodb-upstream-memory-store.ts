import type { Clock } from '../platform/clock.ts';
import type { DynamoDb } from '../platform/dynamodb/client.ts';
import { withTimeout } from '../platform/timeout.ts';
import { asObject } from '../polymarket/json-values.ts';
import { key } from '../snapshots/dynamodb-items.ts';
import type { UpstreamMemory, UpstreamMemoryStore } from './ports.ts';

/** Nobody waits for it, and a run must end. */
const TIMEOUT_MS = 2_000;

/** One small item beside the pointer of the snapshots; written only when the upstream has changed. */
export class DynamoDbUpstreamMemoryStore implements UpstreamMemoryStore {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(client: DynamoDb, table: string, clock: Clock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  async read(): Promise<UpstreamMemory | undefined> {
    const input = { TableName: this.#table, Key: key('UPSTREAM', 0) };
    const item = await withTimeout(this.#clock, TIMEOUT_MS, (signal) => this.#client.get(input, { signal }));
    return parsed(item?.memory?.S);
  }

  async write(memory: UpstreamMemory): Promise<void> {
    const Item = { ...key('UPSTREAM', 0), memory: { S: JSON.stringify(memory) } };
    const input = { TableName: this.#table, Item };
    await withTimeout(this.#clock, TIMEOUT_MS, (signal) => this.#client.put(input, { signal }));
  }
}

/** What cannot be read, or was written in another form, is as good as nothing: it is learnt anew. */
function parsed(text: string | undefined): UpstreamMemory | undefined {
  try {
    const memory = asObject(JSON.parse(text ?? 'null'));
    const known = asObject(memory?.known);
    const whole = ['shapes', 'skipped', 'honoured'].every((name) => asObject(known?.[name]));
    const lists = [known?.unknownVersions, known?.schemas].every(Array.isArray);
    return whole && lists ? (memory as unknown as UpstreamMemory) : undefined;
  } catch {
    return undefined;
  }
}
