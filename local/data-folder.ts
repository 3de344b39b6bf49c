/**
 * The folder of `npm start -- --data DIR`, in which data survives a restart of the local server.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDbClient } from '../lambda/io/platform/dynamodb.ts';
import type { Environment } from '../lambda/io/platform/environment.ts';
import { UPSTREAMS } from '../lambda/io/upstream/upstreams.ts';
import { plural } from './console.ts';
import { DATABASE_VARIABLES } from './database.ts';
import type { Options } from './options.ts';
import { OptionError } from './simulator/index.ts';

/** Where data comes from: a simulator with its options, or the addresses of the upstreams. */
type Upstream = Options['upstream'];
/** The addresses of the real Polymarket. */
const LIVE_URLS: readonly string[] = Object.values(UPSTREAMS).map(({ url }) => url);
/** The addresses of a running server: its database and its upstreams. */
type Running = Readonly<Record<'database' | 'gammaUrl' | 'dataUrl', string>>;

/**
 * A data folder. It has tables, an archive, the state of `npm run archive -- --past`, the upstream
 * of all these (`source.json`), and a running server's addresses (`running.json`).
 */
export class DataFolder {
  readonly tables: string;
  readonly archive: string;
  readonly past: string;
  /** A simulated upstream keeps its start, so that its time continues after a restart. */
  readonly upstream: Upstream;
  readonly #running: string;

  private constructor(folder: string, upstream: Upstream) {
    this.tables = join(folder, 'tables');
    this.archive = join(folder, 'archive');
    this.past = join(folder, 'past');
    this.upstream = upstream;
    this.#running = join(folder, 'running.json');
  }

  /** Opens or creates the folder. @throws OptionError if its data has another upstream */
  static open(folder: string, upstream: Upstream, now = Date.now()): DataFolder {
    const recorded = readJson<Upstream>(join(folder, 'source.json'));
    if (!recorded) {
      const begun = startedAt(upstream, now);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'source.json'), `${JSON.stringify(begun, null, 2)}\n`);
      return new DataFolder(folder, begun);
    }
    if (describe(recorded) !== describe(upstream)) {
      throw new OptionError(
        `${folder} holds data of ${describe(recorded)}, not of ${describe(upstream)}: choose another folder with --data.`,
      );
    }
    const isSimulated = 'simulator' in recorded && 'simulator' in upstream;
    if (!isSimulated) return new DataFolder(folder, recorded);
    // A simulator's latency does not change its data, so each start may choose another one.
    const { latency } = upstream.simulator;
    return new DataFolder(folder, { simulator: { ...recorded.simulator, latency } });
  }

  /** Opens a folder that has data. @throws OptionError if it has none */
  static existing(folder: string): DataFolder {
    const recorded = readJson<Upstream>(join(folder, 'source.json'));
    if (recorded) return new DataFolder(folder, recorded);
    throw new OptionError(
      `${folder} holds no data. To collect data, run npm start -- --data ${folder}, or add --past 3000 --upstream live.`,
    );
  }

  /** Writes the addresses for other processes. The file exists until this process ends. */
  announce(running: Running): void {
    writeFileSync(this.#running, `${JSON.stringify(running)}\n`);
    process.on('exit', () => rmSync(this.#running, { force: true }));
  }

  /**
   * The addresses of the process that has the tables open. Undefined if there is none, even if one
   * was killed and left its file.
   */
  async running(): Promise<Running | undefined> {
    const running = readJson<Running>(this.#running);
    if (!running) return undefined;
    const environment: Environment = {
      ...DATABASE_VARIABLES,
      AWS_ENDPOINT_URL_DYNAMODB: running.database,
    };
    try {
      await dynamoDbClient(environment, { maxAttempts: 1 }).send(new ListTablesCommand({}));
      return running;
    } catch {
      return undefined;
    }
  }

  /** Checks that the tables can be opened. @throws OptionError if another process has them open */
  async requireFree(): Promise<void> {
    const running = await this.running();
    if (running)
      throw new OptionError(
        `Another process uses this folder: its database is ${running.database}.`,
      );
  }
}

/** An upstream that begins now: a simulator gets its start, which the folder then keeps. */
function startedAt(upstream: Upstream, now: number): Upstream {
  if (!('simulator' in upstream)) return upstream;
  return { simulator: { ...upstream.simulator, start: now } };
}

/** An upstream as the archive names it: `live`, `simulated`, or the host of somebody else. */
export function originOfData(upstream: Upstream): string {
  if ('simulator' in upstream) return 'simulated';
  const { gammaUrl, clobUrl, dataUrl } = upstream;
  const other = [clobUrl, gammaUrl, dataUrl].find((url) => !LIVE_URLS.includes(url));
  return other === undefined ? 'live' : new URL(other).host;
}

/** Names an upstream for a person. Upstreams with the same data have the same name. */
function describe(upstream: Upstream): string {
  if ('simulator' in upstream) {
    const { markets = 2_500, seed = 1 } = upstream.simulator;
    return `a simulator with ${plural(markets, 'market')} and seed ${seed}`;
  }
  if (originOfData(upstream) === 'live') return 'the live Polymarket';
  const { gammaUrl, clobUrl, dataUrl } = upstream;
  return `the upstream at ${gammaUrl}, ${clobUrl} and ${dataUrl}`;
}

/** The content of a JSON file; undefined if it is missing or broken. */
function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
