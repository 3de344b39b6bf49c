import { DAY_MS } from '../../core/domain/time.ts';
import { type Clock, systemClock as clock } from '../../io/platform/clock.ts';
import { dynamoDbClient } from '../../io/platform/dynamodb.ts';
import { type Environment, readEnvironment } from '../../io/platform/environment.ts';
import { type Log, telemetry } from '../../io/platform/telemetry.ts';
import { Resolutions } from '../../io/polymarket/resolutions.ts';
import { Upstream } from '../../io/upstream/client.ts';
import type { ArchiveStore } from './archive-store.ts';
import { DAYS_TO_REPAIR, type Day, dayOf, gapsOf } from './day.ts';
import { type DayFile, marketsFile, outcomesFile, pricesFile } from './day-files.ts';
import { DayRows } from './day-rows.ts';
import { type DayManifest, encodeJson, manifestBefore, manifestOf, manifestPath, writeIndex } from './manifest.ts';
import { followedOn, type OutcomeReader, readOutcomes } from './outcomes.ts';
import { type PublishedSnapshot, PublishedSnapshots } from './published-snapshots.ts';

interface ArchiveOptions extends OutcomeReader {
  readonly snapshots: Pick<PublishedSnapshots, 'between' | 'read'>;
  readonly store: ArchiveStore;
  readonly clock: Clock;
  readonly logger: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** `exists`: the day has a manifest. `empty`: it has no snapshot. */
type DayResult = DayManifest | 'exists' | 'empty';

/** For days that have not ended. */
const PREVIEW = 'preview/';

/** No caller waits, so the job outlasts throttling. */
const TABLE_ATTEMPTS = 6;

/** The daily archive (docs/archive.md). A day with a manifest does not change. */
export class Archive {
  readonly #options: ArchiveOptions;

  constructor(options: ArchiveOptions) {
    this.#options = options;
  }

  /**
   * Writes ended days without a manifest that still have snapshots.
   *
   * @throws the first error of a day; without a readable snapshot, a day fails if an earlier one is archived
   */
  async run(): Promise<void> {
    const { store, clock, logger } = this.#options;
    const errors: unknown[] = [];
    // Older days first, so that the next one follows their markets.
    for (let days = DAYS_TO_REPAIR; days > 0; days--) {
      const day = dayOf(clock.now(), -days);
      try {
        const result = await this.write(day);
        if (result === 'empty' && (await manifestBefore(store, day))) throw new Error('No snapshot of it can be read');
      } catch (error) {
        logger.error('The archive could not write a day', { date: day.date, error });
        errors.push(error);
      }
    }
    await this.index();
    if (errors.length > 0) throw errors[0];
  }

  index(): Promise<void> {
    return writeIndex(this.#options.store, dayOf(this.#options.clock.now()));
  }

  /** Writes the manifest last. A day that has not ended gets a preview. */
  async write(day: Day): Promise<DayResult> {
    const { snapshots, store, clock, logger } = this.#options;
    const isPreview = day.end > clock.now();
    const folder = isPreview ? PREVIEW : '';
    const path = `${folder}${manifestPath(day.date)}`;
    if (!isPreview && (await store.read(path))) return 'exists';
    // Neighbours show whether a gap crosses midnight.
    const published = await snapshots.between(day.start - DAY_MS, day.end + DAY_MS);
    const ofDay = published.filter(({ asOf }) => asOf >= day.start && asOf < day.end);
    const rows = await this.#readRows(ofDay);
    if (rows.times.length === 0) {
      logger.warn('The day has no snapshot', { date: day.date });
      return 'empty';
    }
    const neighbours = published.map(({ asOf }) => asOf).filter((asOf) => asOf < day.start || asOf >= day.end);
    const times = [...neighbours, ...rows.times].sort((a, b) => a - b);
    const gaps = gapsOf(isPreview ? { ...day, end: clock.now() } : day, times);
    const manifest = await this.#writeFiles(day, folder, rows, gaps);
    if (isPreview) await store.write(path, encodeJson(manifest));
    else if (!(await store.create(path, encodeJson(manifest)))) return 'exists';
    const { date, condition, files, pending } = manifest;
    logger.info('Day archived', {
      date,
      condition,
      snapshots: rows.times.length,
      gaps,
      files,
      pending: pending.length,
    });
    return manifest;
  }

  async #readRows(published: readonly PublishedSnapshot[]): Promise<DayRows> {
    const rows = new DayRows(published.length);
    let n = 0;
    for await (const markets of this.#options.snapshots.read(published)) {
      const { id, asOf } = published[n++] as PublishedSnapshot;
      if (markets) rows.add(asOf, markets);
      else this.#options.logger.warn('A snapshot is missing or broken; the archive leaves it out', { id });
    }
    return rows;
  }

  async #writeFiles(day: Day, folder: string, rows: DayRows, gaps: DayManifest['gaps']): Promise<DayManifest> {
    const { store, clock } = this.#options;
    const files = new Map<string, DayFile>();
    const write = async (name: string, file: DayFile): Promise<void> => {
      const path = `${folder}${name}/date=${day.date}/${name}.parquet`;
      files.set(path, file);
      await store.write(path, file.bytes);
    };
    const followed = followedOn(day, rows, await manifestBefore(store, day));
    // Outcomes belong to the day on which they become known: the newest one.
    const isNewest = day.end > clock.now() - DAY_MS;
    const reading = isNewest ? readOutcomes(followed.pending, this.#options) : Promise.resolve([]);
    await write('prices', pricesFile(rows));
    await write('markets', marketsFile(rows));
    const outcomes = await reading;
    await write('outcomes', outcomesFile(outcomes));
    const known = new Set(outcomes.map(({ id }) => id));
    const pending = followed.pending.filter(({ id }) => !known.has(id));
    return manifestOf(day, { ...followed, pending, times: rows.times, gaps, files });
  }
}

export function createArchive(environment: Environment, store: ArchiveStore): Archive {
  const { SNAPSHOT_TABLE: table, DATA_URL: baseUrl } = readEnvironment('archive-snapshots', environment);
  const { logger } = telemetry('archive-snapshots', environment);
  const client = dynamoDbClient(environment, { maxAttempts: TABLE_ATTEMPTS });
  const data = new Upstream('data', { baseUrl, clock, random: Math.random, observer: logger });
  const snapshots = new PublishedSnapshots({ client, table });
  return new Archive({ snapshots, store, resolutions: new Resolutions(data), clock, logger });
}
