import { parseArgs } from 'node:util';
import { createArchive } from '../lambda/app/archive/archive-job.ts';
import { DAYS_TO_REPAIR, type Day, dayOf, readDay } from '../lambda/app/archive/day.ts';
import { plural, shortenLogLines, sizeText } from './console.ts';
import { DataFolder } from './data-folder.ts';
import { DATABASE_VARIABLES, SNAPSHOT_TABLE, startDatabase } from './database.ts';
import { FolderStore } from './folder-store.ts';
import { OptionError } from './simulator/index.ts';
import { startSimulatorThread } from './simulator/worker.ts';

/** `npm run archive`: archives a day of the folder of `npm start -- --data`, with or without a running server. */
const HELP = `Writes the snapshots of a day as Parquet files into DIR/archive (docs/archive.md).

  npm run archive -- --data DIR [--date YYYY-MM-DD]

  --data DIR          a folder of npm start -- --data DIR
  --date YYYY-MM-DD   the day in UTC (default: yesterday). Today goes to DIR/archive/preview.
`;

async function run(data: string, date: string | undefined): Promise<void> {
  const day = date === undefined ? dayOf(Date.now(), -1) : readDay(date);
  if (!day) throw new OptionError(`--date must be a day such as ${dayOf(Date.now()).date}, not "${date}".`);
  if (day.start > Date.now()) throw new OptionError(`${day.date} has not begun.`);
  const folder = DataFolder.existing(data);
  const store = new FolderStore(folder.archive);
  const environment = { ...(await sourcesOf(folder)), SNAPSHOT_TABLE, ARCHIVE_BUCKET: folder.archive };
  const archive = createArchive(environment, store);
  const result = await archive.write(day);
  if (day.end <= Date.now()) await archive.index();
  if (result === 'empty') throw new OptionError(reasonOf(day));
  if (result === 'exists') return console.log(`The archive has ${day.date} already. Archived days do not change.`);
  const [snapshots, gaps] = [plural(result.snapshots, 'snapshot'), plural(result.gaps.length, 'gap')];
  console.log(`${day.date} is ${result.condition}: ${snapshots}, ${gaps}.`);
  for (const { path, rows, bytes } of result.files) {
    console.log(`  ${folder.archive}/${path}  ${plural(rows, 'row')}, ${sizeText(bytes)}`);
  }
}

/** Those of the running server, or of a database and Data API that this process starts. */
async function sourcesOf(folder: DataFolder) {
  const running = await folder.running();
  if (running) {
    const { database: AWS_ENDPOINT_URL_DYNAMODB, dataUrl: DATA_URL } = running;
    return { ...DATABASE_VARIABLES, AWS_ENDPOINT_URL_DYNAMODB, DATA_URL };
  }
  const { upstream } = folder;
  const dataUrl = 'simulator' in upstream ? (await startSimulatorThread(upstream.simulator)).url : upstream.dataUrl;
  const { environment } = await startDatabase(folder.tables);
  folder.announce({ database: environment.AWS_ENDPOINT_URL_DYNAMODB, dataUrl });
  return { ...environment, DATA_URL: dataUrl };
}

function reasonOf({ date }: Day): string {
  const isExpired = date < dayOf(Date.now(), -DAYS_TO_REPAIR).date;
  return isExpired ? `The snapshots of ${date} have expired.` : `The folder has no snapshot of ${date}.`;
}

try {
  const flags = { data: { type: 'string' }, date: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { data, date, help } = parseArgs({ options: flags }).values;
  shortenLogLines({});
  if (help) process.stdout.write(HELP);
  else if (data === undefined) throw new OptionError('--data is missing. --help lists the options.');
  else await run(data, date);
  process.exit(0);
} catch (error) {
  const isMistake = error instanceof OptionError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isMistake ? (error as Error).message : error);
  process.exit(isMistake ? 2 : 1);
}
