/**
 * `npm run archive`: writes files for research (docs/archive.md) into a folder of
 * `npm start -- --data`, while the server runs or not. It has three modes: days that the server has
 * collected, simulated days, or the past, which it reads from Polymarket.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ARCHIVE_TTL_SECONDS, VERSION } from '../lambda/core/contract/constants.ts';
import { DAY_SECONDS, SECOND_MS } from '../lambda/core/domain/time.ts';
import { systemClock } from '../lambda/io/platform/clock.ts';
import { Upstream } from '../lambda/io/upstream/client.ts';
import { type Archive, createArchive, type DayResult } from '../lambda/jobs/archive/archive-job.ts';
import { ClaimedError } from '../lambda/jobs/archive/claim.ts';
import { type Day, dayOf, readDay } from '../lambda/jobs/archive/day.ts';
import type { DayManifest, Origin } from '../lambda/jobs/archive/manifest.ts';
import { deployedVersion } from '../lib/config/deployed-version.ts';
import { plural, printProgress, shortenLogLines, sizeText } from './console.ts';
import { DataFolder, originOfData } from './data-folder.ts';
import { DATABASE_VARIABLES, SNAPSHOT_TABLE, startDatabase } from './database.ts';
import { FolderStore } from './folder-store.ts';
import { readUpstream } from './options.ts';
import { Past } from './past/past.ts';
import { simulateArchive } from './simulator/archive/simulated-archive.ts';
import { OptionError } from './simulator/index.ts';
import { startSimulatorThread } from './simulator/worker.ts';

const HELP = `Writes the snapshots of days as Parquet files into DIR/archive (docs/archive.md).

  npm run archive -- --data DIR [--date DAY | --simulate 14d [--until DAY] | --past N [--upstream live]]

  --data DIR        a folder of npm start -- --data DIR
  --date DAY        one day that has ended, in UTC: YYYY-MM-DD or yesterday.
                    Default: all ended days that still have snapshots and are not archived
  --simulate DAYS   simulated days instead, for example 14d, into a folder that is empty
  --until DAY       the last simulated day, by default yesterday. The same version always writes the same bytes
  --past N          the N closed markets of highest volume, and whole price histories of these and of all listed
                    markets. Resumes after an interruption; a later run adds what closed since
  --upstream NAME   for --past and a new folder: live (the real Polymarket) or simulated
`;
const MAX_SIMULATED_DAYS = 60;
/** Nobody waits for a past, so a slow upstream has more time than in the service. */
const PAST_TIMEOUT_MS = 30 * SECOND_MS;

/** Archives one day or, without a date, all ended days that are not archived. */
async function archiveDays(data: string, date: string | undefined): Promise<void> {
  const day = date === undefined ? undefined : chosenDay('date', date);
  const folder = DataFolder.existing(data);
  const origin = originOf(folder);
  const environment = {
    ...(await sourcesOf(folder)),
    SNAPSHOT_TABLE,
    ARCHIVE_BUCKET: folder.archive,
    STAGE: origin.stage,
    SERVICE_VERSION: origin.commit,
    UPSTREAM: origin.upstream,
  };
  const archive = createArchive(environment, new FolderStore(folder.archive));
  if (day) await writeDay(archive, day, folder.archive);
  else await archive.run((written, result) => report(folder.archive, written, result));
}

/** Reads the past, and prints how far it is. */
async function readPast(data: string, count: string, upstream: string | undefined): Promise<void> {
  const requested = /^\d{1,6}$/.test(count) ? Number(count) : 0;
  if (requested < 1) throw new OptionError(`--past must be a whole number, not "${count}".`);
  const folder =
    upstream === undefined
      ? DataFolder.existing(data)
      : DataFolder.open(data, readUpstream({ upstream }));
  const { gammaUrl, dataUrl } = (await folder.running()) ?? (await addressesOf(folder));
  const common = { clock: systemClock, random: Math.random, timeoutMs: PAST_TIMEOUT_MS };
  const work = new Past({
    requested,
    state: new FolderStore(folder.past),
    archive: new FolderStore(folder.archive),
    origin: originOf(folder),
    gamma: new Upstream('gamma', { ...common, baseUrl: gammaUrl }),
    data: new Upstream('data', { ...common, baseUrl: dataUrl }),
    clock: systemClock,
  });
  const stop = printProgress(() => work.progress);
  const { missing, files } = await work.run().finally(stop);
  console.log(`${plural(missing.length, 'missing part')}: see past/manifest.json`);
  printFiles(folder.archive, files);
}

/** Archives one day. Ends the process with status 2 if the day has no snapshot. */
async function writeDay(archive: Archive, day: Day, folder: string): Promise<void> {
  const result = await archive.write(day);
  await archive.index();
  await report(folder, day, result);
  if (result === 'empty') process.exit(2);
}

/** Prints what an archived day has, or why it was not archived. */
async function report(folder: string, { date }: Day, result: DayResult): Promise<void> {
  if (result === 'empty')
    return console.log(
      `${date}: no snapshot. Snapshots are kept for ${plural(ARCHIVE_TTL_SECONDS / DAY_SECONDS, 'day')}.`,
    );
  if (result === 'exists')
    return console.log(`${date}: archived before. Archived days do not change.`);
  const { condition, snapshots, gaps, files } = result;
  const stored = `${snapshots.found.toLocaleString('en-US')} of ${plural(snapshots.expected, 'snapshot')}`;
  console.log(`${date}: ${condition}, ${stored}, ${plural(gaps.length, 'gap')}`);
  printFiles(folder, files);
}

function printFiles(folder: string, files: DayManifest['files']): void {
  for (const { path, rows, bytes } of files) {
    console.log(`  ${folder}/${path}  ${plural(rows, 'row')}, ${sizeText(bytes)}`);
  }
}

/** The day that an option names. @throws OptionError unless it has ended */
function chosenDay(option: 'date' | 'until', date: string): Day {
  const today = dayOf(Date.now());
  const yesterday = dayOf(today.start, -1);
  const day = date === 'yesterday' ? yesterday : readDay(date);
  if (!day)
    throw new OptionError(
      `--${option} must be yesterday or a day such as ${yesterday.date}, not "${date}".`,
    );
  if (day.start >= today.start) throw new OptionError(`${day.date} has not ended.`);
  return day;
}

/**
 * The database, Gamma and Data API of the running server, or of servers that this process starts.
 */
async function sourcesOf(folder: DataFolder) {
  const running = await folder.running();
  if (running) {
    const { database: AWS_ENDPOINT_URL_DYNAMODB, gammaUrl: GAMMA_URL, dataUrl: DATA_URL } = running;
    return { ...DATABASE_VARIABLES, AWS_ENDPOINT_URL_DYNAMODB, GAMMA_URL, DATA_URL };
  }
  const { gammaUrl, dataUrl } = await addressesOf(folder);
  const { environment } = await startDatabase(folder.tables);
  folder.announce({ database: environment.AWS_ENDPOINT_URL_DYNAMODB, gammaUrl, dataUrl });
  return { ...environment, GAMMA_URL: gammaUrl, DATA_URL: dataUrl };
}

/** The addresses of the folder's upstream. Starts a simulator if the folder has simulated data. */
async function addressesOf({
  upstream,
}: DataFolder): Promise<Readonly<Record<'gammaUrl' | 'dataUrl', string>>> {
  if (!('simulator' in upstream)) return upstream;
  const { url } = await startSimulatorThread(upstream.simulator);
  return { gammaUrl: url, dataUrl: url };
}

/** What the archive's manifests say about the program and the source of the data. */
function originOf({ upstream }: DataFolder): Origin {
  const commit = deployedVersion();
  return { version: VERSION, commit, upstream: originOfData(upstream), stage: 'local' };
}

/** Writes simulated days into an empty folder. */
async function simulateDays(data: string, days: string, until: string): Promise<void> {
  const last = chosenDay('until', until);
  const count = /^\d{1,3}d$/.test(days) ? Number(days.slice(0, -1)) : 0;
  if (count < 1 || count > MAX_SIMULATED_DAYS) {
    throw new OptionError(`--simulate must be 1d to ${MAX_SIMULATED_DAYS}d, not "${days}".`);
  }
  const isUsed = (await new FolderStore(data).list('')).length > 0;
  if (isUsed) throw new OptionError(`${data} is not empty: choose another folder with --data.`);
  const folder = join(data, 'archive');
  const store = new FolderStore(folder);
  const commit = deployedVersion();
  await simulateArchive(store, {
    days: count,
    now: last.end,
    commit,
    report: (day, result) => report(folder, day, result),
  });
}

/** Prints an error and ends the process: with status 2 for a mistake of the caller, otherwise 1. */
function fail(error: unknown): never {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const isMistake = error instanceof OptionError || code.startsWith('ERR_PARSE_ARGS');
  // The database throws this outside of any promise if another process has just opened the tables.
  if (code === 'LEVEL_ITERATOR_NOT_OPEN')
    console.error('Another process has just begun to read this folder. Try again.');
  else console.error(isMistake || error instanceof ClaimedError ? (error as Error).message : error);
  process.exit(isMistake ? 2 : 1);
}

process.on('uncaughtException', fail);
try {
  const text = { type: 'string' } as const;
  const flags = {
    data: text,
    date: text,
    simulate: text,
    until: text,
    past: text,
    upstream: text,
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options: flags });
  const { data, date, simulate: days, until, past: count, upstream, help } = values;
  shortenLogLines({});
  if (help) process.stdout.write(HELP);
  else if (data === undefined)
    throw new OptionError('--data is missing. --help lists the options.');
  else if (days !== undefined) await simulateDays(data, days, until ?? 'yesterday');
  else if (count !== undefined) await readPast(data, count, upstream);
  else await archiveDays(data, date);
  process.exit(0);
} catch (error) {
  fail(error);
}
