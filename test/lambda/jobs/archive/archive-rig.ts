import { hash } from 'node:crypto';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import type { ArchiveStore } from '../../../../lambda/io/archive/archive-store.ts';
import type { DatedRules } from '../../../../lambda/io/polymarket/market-rules.ts';
import type { Resolution } from '../../../../lambda/io/polymarket/resolutions.ts';
import { PublishedSnapshots } from '../../../../lambda/io/snapshots/published-snapshots.ts';
import { Archive } from '../../../../lambda/jobs/archive/archive-job.ts';
import { dayOf } from '../../../../lambda/jobs/archive/day.ts';
import { readState } from '../../../../lambda/jobs/archive/job-state.ts';
import { testMarket, testSnapshot } from '../../../support/markets.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { parquetRows } from '../../../support/parquet.ts';
import { TestWriter } from '../../../support/test-writer.ts';

/** The first day of each archive. Days are counted from it, so day 0 is 2026-11-21. */
export const DAY = dayOf(Date.parse('2026-11-21'));
export const market = (n: number): Market => testMarket(n, { priceSource: 'book' });
export const idOf = (n: number): string => testMarket(n).id;
export const dateOf = (day: number): string => dayOf(DAY.start, day).date;
export const manifestOf = (day: number): string => `manifest/date=${dateOf(day)}.json`;

export const ORIGIN = {
  version: '1.0.0',
  commit: 'v1.0.0-3-gabc1234',
  upstream: 'simulated',
  stage: 'test',
};

/**
 * An archive in memory that reads a table in memory. For example, the archive of a day with one
 * snapshot:
 *
 *     const rig = new ArchiveRig();
 *     rig.now = DAY.start + HOUR_MS;
 *     await rig.publish([market(0)]);
 *     await rig.runAfter();
 *     expect(rig.index).toEqual([['2026-11-21', 'degraded']]);
 *     expect(await rig.rows('prices')).toMatchObject([{ id: idOf(0) }]);
 */
export class ArchiveRig {
  now = DAY.start;
  readonly table = new MemoryTable();
  readonly files = new Map<string, Uint8Array>();
  /** Paths in the order in which they were written, without claims and states. */
  readonly written: string[] = [];
  readonly warnings: string[] = [];
  /** What upstream returns, by market id. */
  readonly resolutions = new Map<string, Resolution>();
  readonly rules = new Map<string, DatedRules>();
  /** Called before each write. */
  onWrite: (path: string) => void = () => undefined;
  /** Called before each read of resolutions. */
  onResolutions: (ids: readonly string[], deadline: number) => void = () => undefined;
  readonly clock = { now: () => this.now, after: () => () => undefined };
  readonly store: ArchiveStore = {
    read: async (path) => this.files.get(path),
    write: async (path, bytes) => {
      this.onWrite(path);
      if (!/^(claims|state)/.test(path)) this.written.push(path);
      this.files.set(path, bytes);
    },
    create: async (path, bytes) => {
      if (this.files.has(path)) return false;
      await this.store.write(path, bytes);
      return true;
    },
    list: async (prefix) => [...this.files.keys()].filter((path) => path.startsWith(prefix)).sort(),
  };
  readonly #writer: TestWriter;

  constructor() {
    const { clock } = this;
    this.#writer = new TestWriter({
      client: this.table.client,
      table: 'table',
      clock,
      isArchived: true,
    });
  }

  /** Publishes a snapshot as of now. @param isCut if it left out other markets @returns its id */
  async publish(markets: readonly Market[], isCut = false): Promise<string> {
    const snapshot = { ...testSnapshot(markets, this.now), isCut };
    await this.#writer.publish(snapshot);
    return snapshot.id;
  }

  get archive(): Archive {
    return this.archiveWith({});
  }

  /** Another job over the same files. @param others in place of the rig's */
  archiveWith(others: Partial<ConstructorParameters<typeof Archive>[0]>): Archive {
    const log = (message: string) => void this.warnings.push(message);
    return new Archive({
      snapshots: new PublishedSnapshots({ client: this.table.client, table: 'table' }),
      store: this.store,
      origin: ORIGIN,
      rules: { read: async () => this.rules },
      resolutions: {
        read: async (ids, { deadline }) => {
          this.onResolutions(ids, deadline);
          return this.resolutions;
        },
      },
      clock: this.clock,
      logger: { info: () => undefined, warn: log, error: log },
      ...others,
    });
  }

  /** Runs the job as its schedule does, 20 minutes after a day. */
  async runAfter(days = 0): Promise<void> {
    this.now = dayOf(DAY.start, days).end + 20 * MINUTE_MS;
    await this.archive.run();
  }

  /** The days of the index, and how complete they are. */
  get index(): unknown[] {
    return this.json('index.json')?.days.map(({ date, condition }: Record<string, string>) => [
      date,
      condition,
    ]);
  }

  /** The markets whose resolution the next job looks for. */
  async followed(): Promise<unknown> {
    return (await readState(this.store))?.markets.map(({ id }) => id);
  }

  sha256Of(path: string): string {
    return hash('sha256', this.files.get(path) ?? '', 'hex');
  }

  json(path: string) {
    const bytes = this.files.get(path);
    return bytes && JSON.parse(Buffer.from(bytes).toString());
  }

  /** The rows of a file of a day. */
  async rows(name: string, date = DAY.date): Promise<Record<string, unknown>[]> {
    return await parquetRows(
      this.files.get(`${name}/date=${date}/${name}.parquet`) ?? new Uint8Array(),
    );
  }
}

/** A rig with two snapshots on each of the first days, 20 minutes after the last of them. */
export async function rigWithDays(
  days: number,
  markets: (day: number) => readonly Market[] = () => [market(0), market(1)],
): Promise<ArchiveRig> {
  const rig = new ArchiveRig();
  for (let day = 0; day < days; day++) {
    for (const at of [HOUR_MS, HOUR_MS + MINUTE_MS]) {
      rig.now = DAY.start + day * DAY_MS + at;
      await rig.publish(markets(day));
    }
  }
  rig.now = DAY.start + days * DAY_MS + 20 * MINUTE_MS;
  return rig;
}
