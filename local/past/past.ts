/**
 * Reads the past of Polymarket, for research: which markets closed, at which prices, with which
 * results.
 */
import { WHOLE_LIFE } from '../../lambda/core/domain/history-plan.ts';
import { MINUTE_MS, toUnixSeconds, type UnixMs } from '../../lambda/core/domain/time.ts';
import {
  type ArchiveStore,
  encodeJsonLine,
  readJson,
} from '../../lambda/io/archive/archive-store.ts';
import { dataSource } from '../../lambda/io/polymarket/data-history-source.ts';
import type { Origin } from '../../lambda/jobs/archive/manifest.ts';
import { plural } from '../console.ts';
import { type PastHistory, type PastManifest, writePast } from './past-files.ts';
import {
  type ListOptions,
  type PastList,
  PastListReader,
  type PastMarket,
  patience,
  reasonOf,
} from './past-list.ts';

/** The time between two points of a whole price history. */
const BUCKET_MS = WHOLE_LIFE.fidelity * MINUTE_MS;

interface PastOptions extends ListOptions {
  /** Keeps what runs have read: `run.json`, `done.json` and a file for each history. */
  readonly state: ArchiveStore;
  /** Gets the finished files. */
  readonly archive: ArchiveStore;
  readonly origin: Origin;
}

/**
 * A run of `npm run archive -- --past N`. It reads the N closed markets of highest volume and all
 * listed markets, each with its whole price history, and writes them as files (docs/archive.md).
 *
 * A later run continues an interrupted one, and reads no history again that cannot change.
 */
export class Past {
  readonly #options: PastOptions;
  readonly #listReader: PastListReader;
  #list: PastList | undefined;
  #historiesRead = 0;

  constructor(options: PastOptions) {
    this.#options = options;
    this.#listReader = new PastListReader(options);
  }

  /** What the run does now, in one line. */
  get progress(): string {
    const { gamma, data } = this.#options;
    const work = this.#list
      ? `${this.#historiesRead.toLocaleString('en-US')} of ${plural(this.#list.markets.length, 'market')} read`
      : `${plural(this.#listReader.foundCount, 'market')} found`;
    const failure = gamma.latestFailure ?? data.latestFailure;
    if (!failure || failure.isAboutRequest) return work;
    return `${work}. Polymarket does not answer (${failure.message}): waiting for it`;
  }

  /**
   * Makes the run, or continues an interrupted one.
   *
   * @throws UpstreamError if upstream rejects this caller
   */
  async run(): Promise<PastManifest> {
    const { state, archive, origin, clock } = this.#options;
    const list = await this.#openList(clock.now());
    this.#list = list;
    const manifest = await writePast(archive, list, origin, async (one) => {
      const history = await this.#readHistory(list.asOf, one);
      this.#historiesRead += 1;
      return history;
    });
    await state.write('done.json', encodeJsonLine(list));
    return manifest;
  }

  /** The list of an interrupted run that requested as many markets, or a new list. */
  async #openList(now: UnixMs): Promise<PastList> {
    const { requested, state } = this.#options;
    // `run.json` has the list of the latest run, `done.json` that of the latest finished run.
    const done = await readJson<PastList>(state, 'done.json');
    const begun = await readJson<PastList>(state, 'run.json');
    if (begun?.requested === requested && begun.asOf !== done?.asOf) return begun;
    const list = await this.#listReader.read(now, done?.markets ?? []);
    await state.write('run.json', encodeJsonLine(list));
    return list;
  }

  /**
   * Reads the history of a market, unless this run or an earlier one has stored it. Each history
   * has its own file, so a killed run loses only the calls under way.
   */
  async #readHistory(asOf: UnixMs, { market, isListed, payout }: PastMarket): Promise<PastHistory> {
    const { data, clock, state } = this.#options;
    const token = market.clobTokenId;
    const path = `histories/${token}.json`;
    const stored = await readJson<PastHistory>(state, path);
    if (stored?.isFinal || stored?.asOf === asOf) return stored;
    const source = dataSource(data, clock.now);
    const read = await source.read([token], WHOLE_LIFE, patience(clock)).catch(reasonOf);
    const isFailed = typeof read === 'string';
    const all = isFailed ? [] : (read.get(token) ?? []);
    // The last buckets of an open market can still change.
    const until = isListed ? toUnixSeconds(asOf - BUCKET_MS) : Number.POSITIVE_INFINITY;
    const points = all.filter((point) => !point.payout && point.t <= until);
    const isFinal = payout !== undefined && points.length > 0;
    const history = { asOf, isFinal, points, ...(isFailed && { failure: read }) };
    await state.write(path, encodeJsonLine(history));
    return history;
  }
}
