import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../error-message.ts';
import { StartError } from '../start-error.ts';
import type { TableDefinition } from './table-definition.ts';

/** The embedded DynamoDB, in memory, in a thread of its own. */
export interface Database {
  readonly url: string;
  /** Names of the tables by their logical ids. */
  readonly tables: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** Starts it with these tables, empty. */
export async function startDatabase(tables: readonly TableDefinition[]): Promise<Database> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: tables,
    execArgv: [],
    env: {},
  });
  try {
    const [message]: { url: string }[] = await once(worker, 'message');
    if (message === undefined) throw new Error('no address');
    return {
      url: message.url,
      tables: new Map(tables.map(({ id, name }) => [id, name])),
      close: async () => {
        await worker.terminate();
      },
    };
  } catch (error) {
    await worker.terminate();
    throw new StartError(`The embedded DynamoDB did not start: ${messageOf(error)}.`, { cause: error });
  }
}
