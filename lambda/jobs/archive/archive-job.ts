/**
 * The job that writes the daily archive (docs/archive.md): Parquet files of the prices, markets,
 * rules and outcomes of a day, and a manifest that makes the day complete.
 */
import { VERSION } from '../../core/contract/constants.ts';
import { DAY_MS, type UnixMs } from '../../core/domain/time.ts';
import { type ArchiveStore, encodeJson } from '../../io/archive/archive-store.ts';
import { systemClock } from '../../io/platform/clock.ts';
import { BACKGROUND_ATTEMPTS, dynamoDbClient } from '../../io/platform/dynamodb.ts';
import { type Environment, readEnvironment } from '../../io/platform/environment.ts';
import { type Log, telemetry } from '../../io/platform/telemetry.ts';
import { GammaRules } from '../../io/polymarket/market-rules.ts';
import { Resolutions } from '../../io/polymarket/resolutions.ts';
import { type Publication, PublishedSnapshots } from '../../io/snapshots/published-snapshots.ts';
import { Upstream } from '../../io/upstream/client.ts';
import { Claim, ClaimedError } from './claim.ts';
import { type Day, dayOf, daysToArchive, type SnapshotTimes } from './day.ts';
import { COLUMNS, marketsFile, snapshotsFile } from './day-files.ts';
import { DayRows } from './day-rows.ts';
import { followDay, type JobState, prepareState, readState } from './job-state.ts';
import {
  type DayManifest,
  hasDayBefore,
  manifestOf,
  manifestPath,
  metadataOf,
  type Origin,
  readManifest,
  writeIndex,
} from './manifest.ts';
import {
  type FollowedMarket,
  givenUp,
  type KnownOutcome,
  type OutcomeReader,
  readOutcomes,
} from './outcomes.ts';
import { type DayFile, type Metadata, parquetFile } from './parquet-file.ts';
import { pricesFile } from './prices-file.ts';
import { type RulesReader, readRulesOf } from './rules.ts';

/** What the job reads and writes. */
interface ArchiveOptions extends OutcomeReader, RulesReader {
  readonly snapshots: Pick<PublishedSnapshots, 'between' | 'read'>;
  readonly store: ArchiveStore;
  readonly origin: Origin;
  readonly logger: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** `exists`: the day already has a manifest. `empty`: no snapshot of the day exists. */
export type DayResult = DayManifest | 'exists' | 'empty';

/**
 * Writes the archive from published snapshots, and from the rules and resolutions of upstream. A day
 * with a manifest never changes.
 */
export class Archive {
  readonly #options: ArchiveOptions;

  constructor(options: ArchiveOptions) {
    this.#options = options;
  }

  /**
   * Writes all ended days that have snapshots but no manifest, then `index.json`. An error of one
   * day does not stop the others.
   *
   * @throws the first error of a day; a day without a readable snapshot fails if an earlier one is
   * archived
   */
  async run(report?: (day: Day, result: DayResult) => Promise<void>): Promise<void> {
    const { store, clock, logger } = this.#options;
    const errors: unknown[] = [];
    for (const day of daysToArchive(clock.now())) {
      try {
        const result = await this.write(day);
        if (result === 'empty' && (await hasDayBefore(store, day)))
          throw new Error('No snapshot of it can be read');
        await report?.(day, result);
      } catch (error) {
        logger.error('The archive could not write a day', { date: day.date, error });
        errors.push(error);
      }
    }
    await this.index();
    if (errors.length > 0) throw errors[0];
  }

  /** Writes `index.json`, which lists the days of the archive. */
  index(): Promise<void> {
    return writeIndex(this.#options.store, dayOf(this.#options.clock.now()));
  }

  /**
   * Writes the files of a day that has ended, then its manifest.
   *
   * @throws ClaimedError while another job writes
   */
  async write(day: Day): Promise<DayResult> {
    const { store, clock } = this.#options;
    if (await readManifest(store, day.date)) return 'exists';
    const claim = await Claim.take(store, clock);
    try {
      // Another job may have written it before it released its claim.
      return (await readManifest(store, day.date)) ? 'exists' : await this.#writeDay(day, claim);
    } finally {
      await claim.release();
    }
  }

  /**
   * Writes the files of a day, then the manifest that makes it complete, and then the job's state. A
   * job that ends before the manifest has written nothing that counts.
   */
  async #writeDay(day: Day, claim: Claim): Promise<DayResult> {
    const { store, snapshots, clock, logger } = this.#options;
    const writtenAt = clock.now();
    // These include the snapshots just before and after the day, to find gaps at its edges.
    const published = await snapshots.between(day.start, day.end);
    const ofDay = published.filter(({ asOf }) => asOf >= day.start && asOf < day.end);
    const rows = await this.#readRows(ofDay);
    if (rows.snapshots.length === 0) {
      logger.info('The day has no snapshot', { date: day.date });
      return 'empty';
    }
    const maxMarkets = Math.max(...ofDay.map(({ info }) => info?.maxMarkets ?? 0));
    const origin = { ...this.#options.origin, maxMarkets };
    const files = new DayWriter(store, claim, day, metadataOf(day, origin));
    const rules = await this.#writeMarkets(rows, ofDay, files);
    const state = await this.#writeOutcomes(day, rows, files, writtenAt);
    await files.check();
    const writeState = await prepareState(store, state);
    const manifest = manifestOf(day, {
      writtenAt,
      origin,
      rows,
      rules,
      times: timesOf(day, published, rows),
      files: files.written,
    });
    await files.writeManifest(manifest);
    await writeState();
    logger.info('Day archived', { ...manifest });
    return manifest;
  }

  /** Writes the prices, markets, snapshots and rules of a day. @returns the number of rules */
  async #writeMarkets(
    rows: DayRows,
    published: readonly Publication[],
    files: DayWriter,
  ): Promise<number> {
    const { metadata } = files;
    await files.write('prices', await pricesFile(rows, metadata));
    await files.write('markets', marketsFile(rows, metadata));
    await files.write('snapshots', snapshotsFile(rows, published, metadata));
    const ids = rows.sorted().map(({ market }) => market.id);
    const rules = await readRulesOf(ids, this.#options);
    await files.write('rules', parquetFile(COLUMNS.rules, rules, metadata));
    return rules.length;
  }

  /** Reads the day's snapshots into rows. Leaves out those that are missing or broken. */
  async #readRows(published: readonly Publication[]): Promise<DayRows> {
    const { snapshots, logger } = this.#options;
    const rows = new DayRows(published.length);
    const contents = snapshots.read(published);
    for (const { id, asOf, info } of published) {
      const { value: markets } = await contents.next();
      if (markets) rows.add(asOf, info?.isCut === true, markets);
      else logger.warn('A snapshot is missing or broken; the archive leaves it out', { id });
    }
    return rows;
  }

  /** Writes the outcomes that became known. @returns the job's next state */
  async #writeOutcomes(
    day: Day,
    rows: DayRows,
    files: DayWriter,
    writtenAt: UnixMs,
  ): Promise<JobState> {
    const before = await readState(this.#options.store);
    const { lastSnapshot, markets } = followDay(rows, before);
    // An outcome belongs to the day on which it becomes known, so repaired older days have none.
    const isNewest = day.end > writtenAt - DAY_MS;
    const unlisted = isNewest ? markets.filter(({ lastTime }) => lastTime < lastSnapshot) : [];
    const outcomes = await this.#outcomesOf(unlisted, day, writtenAt);
    await files.write('outcomes', parquetFile(COLUMNS.outcomes, outcomes, files.metadata));
    const ended = new Set(outcomes.map(({ id }) => id));
    return {
      date: day.date,
      writtenAt: new Date(writtenAt).toISOString(),
      lastSnapshot,
      markets: markets.filter(({ id }) => !ended.has(id)),
    };
  }

  /** The outcomes of unlisted markets: those that resolved, and those that the job gives up. */
  async #outcomesOf(
    unlisted: readonly FollowedMarket[],
    day: Day,
    writtenAt: UnixMs,
  ): Promise<readonly KnownOutcome[]> {
    const resolved = await readOutcomes(unlisted, writtenAt, this.#options);
    const resolvedIds = new Set(resolved.map(({ id }) => id));
    const unresolved = unlisted.filter(({ id }) => !resolvedIds.has(id));
    return [...resolved, ...givenUp(unresolved, day.end, writtenAt)];
  }
}

/**
 * Writes the files of a day while the job has the claim. Each write checks the claim first and
 * throws a ClaimedError if another job has taken over.
 */
class DayWriter {
  readonly written = new Map<string, DayFile>();
  readonly metadata: Metadata;
  readonly #store: ArchiveStore;
  readonly #claim: Claim;
  readonly #day: Day;

  constructor(store: ArchiveStore, claim: Claim, day: Day, metadata: Metadata) {
    this.metadata = metadata;
    this.#store = store;
    this.#claim = claim;
    this.#day = day;
  }

  check(): Promise<void> {
    return this.#claim.check();
  }

  async write(name: string, file: DayFile): Promise<void> {
    const path = `${name}/date=${this.#day.date}/${name}.parquet`;
    await this.check();
    await this.#store.write(path, file.bytes);
    this.written.set(path, file);
  }

  /** @throws ClaimedError if the day has a manifest already */
  async writeManifest(manifest: DayManifest): Promise<void> {
    const path = manifestPath(this.#day.date);
    await this.check();
    const isCreated = await this.#store.create(path, encodeJson(manifest));
    if (!isCreated) throw new ClaimedError(`Another job has written ${path}.`);
  }
}

/** The times of the published snapshots: those that were read, and the lost ones of the day. */
function timesOf(day: Day, published: readonly Publication[], rows: DayRows): SnapshotTimes {
  const read = new Set(rows.snapshots.map(({ time }) => time));
  const isFound = (time: UnixMs): boolean => read.has(time) || time < day.start || time >= day.end;
  const times = published.map(({ asOf }) => asOf);
  return { found: times.filter(isFound), lost: times.filter((time) => !isFound(time)) };
}

/**
 * The archive of the snapshots that an environment names, in any store: the bucket, or the folder
 * of `npm run archive`.
 */
export function createArchive(environment: Environment, store: ArchiveStore): Archive {
  const variables = readEnvironment('archive-snapshots', environment);
  const { SNAPSHOT_TABLE: table, GAMMA_URL, DATA_URL } = variables;
  const { SERVICE_VERSION: commit, UPSTREAM: upstream, STAGE: stage } = variables;
  const { logger } = telemetry('archive-snapshots', environment);
  const client = dynamoDbClient(environment, { maxAttempts: BACKGROUND_ATTEMPTS });
  const common = { clock: systemClock, random: Math.random, observer: logger };
  const rules = new GammaRules(new Upstream('gamma', { ...common, baseUrl: GAMMA_URL }));
  const resolutions = new Resolutions(new Upstream('data', { ...common, baseUrl: DATA_URL }));
  const snapshots = new PublishedSnapshots({ client, table });
  const origin = { version: VERSION, commit, upstream, stage };
  return new Archive({ snapshots, store, origin, rules, resolutions, clock: systemClock, logger });
}
