/** A database in a thread of its own: in AWS, upstream's work does not delay the table. */
import { parentPort } from 'node:worker_threads';
import { startDatabase } from '../../local/database.ts';

const { environment } = await startDatabase();
parentPort?.postMessage(environment);
