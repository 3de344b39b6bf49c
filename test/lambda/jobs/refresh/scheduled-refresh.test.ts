import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { MetricName } from '../../../../lambda/io/platform/metrics.ts';
import { UpstreamError } from '../../../../lambda/io/upstream/upstream-error.ts';
import { ScheduledRefresh } from '../../../../lambda/jobs/refresh/scheduled-refresh.ts';
import { delayed, ManualClock, whileTimePasses } from '../../../support/manual-clock.ts';
import { RefreshWorld } from './refresh-rig.ts';

// The refresher publishes snapshots of Polymarket's markets. A schedule starts its runs: full ones,
// which read the catalogue and the prices, and price runs. `ScheduledRefresh` makes a run and reports
// it: in a line of the log and in metrics. While there is no snapshot, it also stores the reason for
// `/api/status`.

type Line = { level: string; message: string } & Readonly<Record<string, unknown>>;

class FakeMetrics {
  /** The metrics of the latest run that flushed them. */
  written: Partial<Record<MetricName, number>> = {};
  #added: Partial<Record<MetricName, number>> = {};

  add(name: MetricName, value: number): void {
    this.#added[name] = value;
  }

  flush(): void {
    this.written = this.#added;
    this.#added = {};
  }
}

/** A refresher over 30 markets, with the lines of its log and the metrics of its latest run. */
function setup() {
  const clock = new ManualClock();
  const world = new RefreshWorld(clock);
  const lines: Line[] = [];
  const metrics = new FakeMetrics();
  /** The failure of the latest call to upstream, which a test can set. */
  const latest: { failure?: UpstreamError } = {};
  const log = (level: string) => (message: string, fields?: object) => {
    lines.push({ level, message, ...fields });
  };
  const refresh = new ScheduledRefresh({
    ...world.container(),
    logger: { info: log('info'), warn: log('warn'), error: log('error') },
    metrics,
    latestFailure: () => latest.failure,
  });
  const run = async (kind: 'full' | 'prices' = 'full') => {
    metrics.written = {};
    await whileTimePasses(clock, refresh.run(kind, 118_000));
  };
  return { clock, world, writer: world.writer, refresh, lines, run, latest, metrics };
}

async function setupAfterRun(ms: number) {
  const all = setup();
  await all.run();
  await all.clock.advance(ms);
  return all;
}

const DOWN = new UpstreamError({ route: 'markets-keyset', failure: 'status', status: 503 });
const DOWN_REASON = 'The upstream does not respond as expected (markets-keyset: status 503).';
const upstreamDown = () => Promise.reject(DOWN);

describe('the report of a run', () => {
  it('is one log line and the metrics', async () => {
    const { lines, run, metrics, writer } = setup();
    await run();
    // A metric that would be 0 is left out.
    expect(metrics.written).toEqual({});
    expect(lines).toMatchObject([
      {
        level: 'info',
        message: 'Snapshot published',
        kind: 'full',
        outcome: 'published',
        id: writer.last?.id,
        markets: 30,
        withOneDayChange: 30,
        pages: 1,
        historyCallsFailed: 0,
      },
    ]);
  });

  it('has each field that the query of the runs shows', async () => {
    const { lines, run } = setup();
    await run();
    const queries = readFileSync('lib/monitoring/saved-queries.ts', 'utf8');
    // The query "refresh-runs" of CloudWatch has a line such as 'display @timestamp, kind, markets'.
    const [, shown = ''] = /id: 'refresh-runs'[\s\S]*?'display ([^']+)'/.exec(queries) ?? [];
    // CloudWatch adds the time, and a run that fails adds the error.
    const added = ['@timestamp', 'error.message'];
    for (const name of shown.split(', '))
      if (!added.includes(name)) expect(lines[0]).toHaveProperty(name, expect.anything());
  });

  it('gives the percentage of unreadable records if it is above 5, in a full run', async () => {
    const { world, run, metrics } = setup();
    // Two of 20 open records are unreadable. Two others belong to new or unsuitable markets.
    world.shown = (records) => [
      ...records.slice(0, 16),
      { kind: 'skipped', reason: 'ids_malformed' },
      { kind: 'skipped', reason: 'outcomes' },
      { kind: 'skipped', reason: 'ids_pending' },
      { kind: 'skipped', reason: 'end_date' },
      { kind: 'inactive' },
    ];
    // A market without a price is readable.
    const book = world.book;
    world.book = (token) => (token === world.markets[0]?.clobTokenId ? {} : book(token));
    await run();
    expect(metrics.written).toMatchObject({ MissingMarkets: 10 });
    await run('prices');
    expect(metrics.written).not.toHaveProperty('MissingMarkets');
    // One of 31 is 3 %.
    world.shown = (records) => [...records, { kind: 'skipped', reason: 'outcomes' }];
    await run();
    expect(metrics.written).not.toHaveProperty('MissingMarkets');
  });

  it('gives the percentage of the markets that the list lacks, in each run', async () => {
    const { world, run, metrics, lines, clock } = await setupAfterRun(60_000);
    // The new records of nine of the 30 markets have no ids.
    world.shown = (records) =>
      records.map((record, n) =>
        n < 9 && record.id ? { kind: 'skipped', id: record.id, reason: 'ids_pending' } : record,
      );
    for (const kind of ['full', 'prices'] as const) {
      await run(kind);
      expect(metrics.written.MissingMarkets).toBe((100 * 9) / 30);
      expect(lines.at(-1)).toMatchObject({
        level: 'warn',
        missing: { markets: 9, expected: 30 },
      });
      await clock.advance(60_000);
    }
  });
});

describe('a run that fails', () => {
  it.each([
    {
      after: 'no failure',
      failure: undefined,
      sentence: 'The upstream responds slowly or not at all.',
    },
    { after: 'a failure', failure: DOWN, sentence: DOWN_REASON },
  ])(
    'stores a reason after 10 s, while the first run still waits for upstream, after $after',
    async (row) => {
      const { clock, world, run, writer, latest } = setup();
      if (row.failure) latest.failure = row.failure;
      const since = clock.now();
      world.page = delayed(clock, upstreamDown, 20_000);
      await expect(run()).rejects.toThrow();
      expect(writer.failures).toMatchObject([
        { since, at: since + 10_000, reason: `The refresh is still running. ${row.sentence}` },
        { since, reason: DOWN_REASON },
      ]);
    },
  );

  it('still publishes the prices of the catalogue if CLOB has none', async () => {
    const { world, writer, lines, run, metrics } = await setupAfterRun(120_000);
    world.sides = upstreamDown;
    await expect(run('prices')).rejects.toThrow('CLOB gave no price');
    expect(writer.failures).toEqual([]);
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'Refresh failed',
      outcome: 'published',
    });
    expect(metrics.written).toEqual({ DegradedSnapshots: 1 });
  });

  it('stores its reason and when the failures began, while there is no snapshot', async () => {
    const { clock, world, run, writer } = setup();
    world.page = upstreamDown;
    await expect(run()).rejects.toThrow();
    const since = writer.failures[0]?.since ?? 0;
    expect(writer.failures[0]).toEqual({ since, at: since, reason: DOWN_REASON });
    await clock.advance(120_000);
    world.page = async () => ({ records: [], madeAt: 0 });
    await expect(run()).rejects.toThrow();
    expect(writer.failures[1]).toMatchObject({
      since,
      reason: 'The upstream lists no open market.',
    });
    expect(writer.failures[1]?.at).toBeGreaterThan(since + 119_000);
  });

  it('publishes nothing while the table does not respond', async () => {
    const { run, writer } = await setupAfterRun(60_000);
    const errors = ['The newest snapshot', 'The age at the end of the run'];
    writer.newest = async () => {
      throw new Error(errors.shift());
    };
    await expect(run()).rejects.toThrow('The newest snapshot');
    expect(writer.published).toHaveLength(1);
  });

  it('stores no internals, and throws its own error even when the reason cannot be stored', async () => {
    const { world, run, writer } = setup();
    world.page = async () => {
      throw new Error('arn:aws:iam::123456789012 is not authorised');
    };
    await expect(run()).rejects.toThrow('not authorised');
    expect(writer.failures[0]?.reason).toBe('The refresh failed with an internal error.');
    writer.recordFailure = async () => {
      throw new Error('the table');
    };
    await expect(run()).rejects.toThrow('not authorised');
  });
});

it('a run ends two seconds early, for its report', async () => {
  // A run has 118 s in AWS. The catalogue ends 5 s before the rest of the run.
  const { clock, world, run } = setup();
  const [page, started] = [world.page, clock.now()];
  let leftMs = 0;
  world.page = async (cursor, deadline) => {
    leftMs = deadline - started;
    return await page(cursor, deadline);
  };
  await run();
  expect(leftMs).toBe(118_000 - 2_000 - 5_000);
});

it('two runs of one kind at the same time are one run', async () => {
  const { clock, world, writer, refresh } = setup();
  await whileTimePasses(
    clock,
    Promise.all([refresh.run('full', 118_000), refresh.run('full', 118_000)]),
  );
  expect(world.calls.filter((call) => call === 'page')).toHaveLength(1);
  expect(writer.published).toHaveLength(1);
  await clock.advance(60_000);
  await whileTimePasses(clock, refresh.run('full', 118_000));
  expect(writer.published).toHaveLength(2);
});
