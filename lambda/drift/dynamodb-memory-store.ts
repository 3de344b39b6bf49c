import type { DynamoDb } from '../platform/dynamodb/client.ts';
import { asObject } from '../polymarket/json-values.ts';
import { key } from '../snapshots/dynamodb-items.ts';
import type { UpstreamMemory, UpstreamMemoryStore } from './ports.ts';

/** Nobody waits for it, and a run must end. */
const TIMEOUT_MS = 2_000;

/** One small item beside the pointer of the snapshots; written only when the upstream has changed. */
export class DynamoDbMemoryStore implements UpstreamMemoryStore {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async read(): Promise<UpstreamMemory | undefined> {
    const item = await this.#client.get(
      { TableName: this.#table, Key: key('UPSTREAM', 0) },
      { signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    return parsed(item?.memory?.S);
  }

  async write(memory: UpstreamMemory): Promise<void> {
    const Item = { ...key('UPSTREAM', 0), memory: { S: JSON.stringify(memory) } };
    await this.#client.put({ TableName: this.#table, Item }, { signal: AbortSignal.timeout(TIMEOUT_MS) });
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
