import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_MARKETS_DEFAULT } from '../../lambda/core/contract/constants.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS, type UnixMs } from '../../lambda/core/domain/time.ts';
import { parseJson } from '../../lambda/core/domain/values.ts';
import type { ArchiveStore } from '../../lambda/io/archive/archive-store.ts';
import { type Clock, sleep } from '../../lambda/io/platform/clock.ts';
import { ClosedMarkets } from '../../lambda/io/polymarket/closed-markets.ts';
import { GammaCatalogue } from '../../lambda/io/polymarket/gamma-catalogue.ts';
import { dataSource } from '../../lambda/io/polymarket/history-sources.ts';
import { Resolutions } from '../../lambda/io/polymarket/resolutions.ts';
import type { Upstream } from '../../lambda/io/upstream/client.ts';
import { UpstreamError } from '../../lambda/io/upstream/upstream-error.ts';
import type { Origin } from '../../lambda/jobs/archive/manifest.ts';
import { plural } from '../console.ts';
import { Journal } from './journal.ts';
import { type PastManifest, writePast } from './past-files.ts';
import { readPastHistories } from './past-histories.ts';
import { type PastList, PastListReader, type Patiently } from './past-list.ts';

interface PastOptions {
  /** How many closed markets, by volume. */
  readonly requested: number;
  /** @default as the service lists */
  readonly maxListed?: number;
  /** For the state of runs. */
  readonly folder: string;
  readonly store: ArchiveStore;
  readonly origin: Origin;
  readonly gamma: Upstream;
  readonly data: Upstream;
  readonly clock: Clock;
}

/** The list of the newest run, which later runs keep. */
interface StoredRun extends PastList {
  readonly isDone: boolean;
}

/** An older interrupted run begins anew, because its list is too old. */
const MAX_RUN_AGE_MS = DAY_MS;
const PAUSE_MS = 10 * SECOND_MS;

/** `npm run archive -- --past N`: closed markets and histories of years (docs/archive.md). */
export class Past {
  readonly #options: PastOptions;
  #reader: PastListReader | undefined;
  #total = 0;
  #read = 0;
  #begun: UnixMs = 0;

  constructor(options: PastOptions) {
    this.#options = options;
  }

  /** What the run does now, in one line. */
  get progress(): string {
    const { gamma, data } = this.#options;
    const failure = gamma.latestFailure ?? data.latestFailure;
    const isAway = failure && !failure.isRejection;
    const waits = isAway ? `. Polymarket does not answer (${failure.message}): waiting for it` : '';
    if (this.#total === 0) return `${plural(this.#reader?.markets ?? 0, 'market')} found${waits}`;
    const left = this.#read > 0 ? `, ${plural(this.#minutesLeft(), 'minute')} left` : '';
    return `${this.#read.toLocaleString('en-US')} of ${this.#total.toLocaleString('en-US')} histories${left}${waits}`;
  }

  /** Continues an interrupted run. */
  async run(): Promise<PastManifest> {
    const { folder, store, origin, clock, data } = this.#options;
    mkdirSync(folder, { recursive: true });
    const list = await this.#list();
    const journal = Journal.open(join(folder, 'histories.jsonl'), list.asOf);
    const isRead = ({ market }: PastList['markets'][number]): boolean =>
      journal.get(market.clobTokenId) !== undefined;
    this.#total = list.markets.filter((one) => !isRead(one)).length;
    this.#begun = clock.now();
    const source = dataSource(data, clock.now);
    const onRead = (): void => {
      this.#read += 1;
    };
    await readPastHistories(list.asOf, list.markets, { source, journal, clock, onRead });
    const manifest = await writePast(store, list, journal, origin);
    this.#store({ ...list, isDone: true });
    return manifest;
  }

  async #list(): Promise<PastList> {
    const {
      folder,
      requested,
      maxListed = MAX_MARKETS_DEFAULT,
      gamma,
      data,
      clock,
    } = this.#options;
    const stored = readRun(join(folder, 'run.json'));
    const now = clock.now();
    const isUnfinished = stored?.isDone === false && stored.requested === requested;
    if (stored && isUnfinished && now - stored.asOf < MAX_RUN_AGE_MS) return stored;
    this.#reader = new PastListReader({
      catalogue: new GammaCatalogue(gamma),
      closed: new ClosedMarkets(gamma),
      resolutions: new Resolutions(data),
      patiently: patience(clock),
    });
    // If another number is requested, an unfinished run leaves only what it kept itself.
    const before = stored?.markets.filter(({ isKept }) => stored.isDone || isKept) ?? [];
    const list = await this.#reader.read(now, { requested, maxListed }, before);
    this.#store({ ...list, isDone: false });
    return list;
  }

  #store(run: StoredRun): void {
    const path = join(this.#options.folder, 'run.json');
    writeFileSync(`${path}.draft`, JSON.stringify(run), { flush: true });
    renameSync(`${path}.draft`, path);
  }

  #minutesLeft(): number {
    const msPerHistory = (this.#options.clock.now() - this.#begun) / this.#read;
    return Math.ceil((msPerHistory * (this.#total - this.#read)) / MINUTE_MS);
  }
}

function readRun(path: string): StoredRun | undefined {
  try {
    return parseJson(readFileSync(path, 'utf8')) as StoredRun | undefined;
  } catch {
    return undefined;
  }
}

/** Upstream has this time for a call and its retries. */
const CALL_MS = MINUTE_MS;

function patience(clock: Clock): Patiently {
  return async (work) => {
    for (;;) {
      try {
        return await work({ deadline: clock.now() + CALL_MS, retries: 5 });
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.isRejection) throw error;
        await sleep(clock, PAUSE_MS);
      }
    }
  };
}
