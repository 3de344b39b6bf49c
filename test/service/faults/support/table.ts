import type { Expected, FaultCase, LiveSeen, LogLine, Seen } from './fault-case.ts';
import { reportOf } from './fault-case.ts';

/** A heading and its rows. */
export interface Chapter {
  readonly title: string;
  readonly rows: readonly FaultCase[];
}

const COLUMNS = ['Fault', 'Injected', 'What readers see', 'Log and metrics', 'Recovery'];

const TROUBLES = {
  long: { all: '', none: 'no 7- and 30-day changes' },
} as const;

/** The tables in Markdown: everything in them is what the tests assert. */
export function renderFaults(chapters: readonly Chapter[]): string {
  return chapters
    .flatMap(({ title, rows }) => [
      `## ${title}`,
      '',
      line(COLUMNS),
      line(COLUMNS.map(() => '---')),
      ...rows.map(rowOf),
      '',
    ])
    .join('\n');
}

function rowOf(row: FaultCase): string {
  return line([row.fault, injectedOf(row), readersOf(row), reportedOf(row), recoveryOf(row)]);
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function injectedOf({ upstream, dataset, store, changes, scene, forgets }: FaultCase): string {
  const { runMs, refresherClockMs, readerClockMs, environment } = changes ?? {};
  return [
    ...(forgets ? ['no price memory yet'] : []),
    ...(upstream ?? []).map((spec) => `\`POST /_control/faults ${JSON.stringify(spec)}\``),
    ...(dataset ? [`\`POST /_control/dataset ${JSON.stringify(dataset)}\``] : []),
    ...(store ?? []).map(({ step, trouble, times, ms }) => {
      const how = [...(times ? [`${times}×`] : []), ...(ms ? [`${ms} ms`] : [])].join(', ');
      return `DynamoDB ${trouble} at "${step}"${how && ` (${how})`}`;
    }),
    ...Object.entries(environment ?? {}).map(([name, value]) => `\`${name}=${value}\``),
    ...(refresherClockMs ? [`the refresher's clock is off by ${refresherClockMs / 1_000} s`] : []),
    ...(readerClockMs ? [`the readers' clocks are off by ${readerClockMs / 1_000} s`] : []),
    ...(scene ? [scene.does] : []),
    ...(runMs ? [`the function has ${runMs / 1_000} s`] : []),
  ].join('; ');
}

function readersOf({ readers }: FaultCase): string {
  if (readers === 'old') return '200 with the previous snapshot while it is fresh, then 502 `snapshot_stale`';
  if (readers === 'prices') return '200 with new prices, and the facts of the previous snapshot for an hour';
  if ('live' in readers) return liveOf(readers.live);
  if ('memory' in readers) {
    return `Containers that hold the previous snapshot: 200 with it while it is fresh. Others: 502 \`${readers.memory}\``;
  }
  return ['200 with the new snapshot', ...gapsOf(readers.new)].join('; ');
}

function liveOf({ books, histories }: LiveSeen): string {
  const said = (status: 200 | 502) => (status === 200 ? '200, and right' : '502 `upstream_unavailable`');
  return `Books: ${said(books)}; price histories: ${said(histories)}; the list as before`;
}

function gapsOf({ markets, oneDay, long, prices }: Seen): string[] {
  return [
    ...(markets === 'fewer' ? ['without the markets that could not be read'] : []),
    ...(oneDay === 'some' ? ['1-day changes `null` where the batch failed or a midpoint is missing'] : []),
    ...(oneDay === 'top 20' ? ['1-day changes only for the first 20'] : []),
    ...(oneDay === 'none' ? ['1-day changes `null`'] : []),
    ...(TROUBLES.long[long ?? 'all'] ? [TROUBLES.long[long ?? 'all']] : []),
    ...(prices === 'catalogue' ? ["the catalogue's prices"] : []),
    ...(prices === 'some of the catalogue' ? ["the catalogue's price where there is no midpoint"] : []),
  ];
}

function reportedOf(row: FaultCase): string {
  const { log, metrics } = reportOf(row);
  const silent = row.run === 'killed' ? ["nothing of the run itself: Lambda's own `Errors`"] : [];
  const lines = log.map(logOf);
  const values = Object.entries(metrics).map(([name, value]) => `\`${name}\` ${textOf(value)}`);
  const taken = row.mostMb === undefined ? [] : [`at most ${row.mostMb} MB of a response are taken`];
  return [...silent, ...new Set(lines), values.join(', '), ...taken].filter((text) => text !== '').join('; ');
}

function logOf({ message, keys = {} }: LogLine): string {
  const shown = Object.entries(keys).map(([key, value]) => `${key} ${textOf(value)}`);
  return shown.length === 0 ? `"${message}"` : `"${message}" (${shown.join(', ')})`;
}

function textOf(value: Expected): string {
  if (value === null) return 'missing';
  if (typeof value !== 'object') return String(value);
  const [min, max] = value;
  return Number.isFinite(max) ? `${min} to ${max}` : `≥ ${min}`;
}

function recoveryOf({ recovery, run, readers }: FaultCase): string {
  if (recovery !== undefined) return recovery;
  const whole = typeof readers === 'object' && 'new' in readers && gapsOf(readers.new).length === 0;
  if (run === 'published' && whole) return 'Within the run';
  return whole ? 'Nothing to recover' : 'The next run';
}
