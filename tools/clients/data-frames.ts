/**
 * The steps in which DuckDB, pandas and Polars read files of the service with the documents' code.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '../../lambda/core/domain/time.ts';
import { FolderStore } from '../../local/folder-store.ts';
import { simulateArchive } from '../../local/simulator/archive/simulated-archive.ts';
import { pythonPrograms } from '../programs.ts';
import { simulatePast } from './simulated-past.ts';
import { codeBlock, ROOT, type Steps } from './steps.ts';

/** The time at which the simulated archive ends. Its prices depend on it. */
const SIMULATED_NOW = Date.parse('2026-11-21T12:00:00Z');

/** The PyPI packages of the steps. */
export const DATA_FRAMES = ['duckdb', 'pandas', 'polars', 'pyarrow', 'pytz'];
/** The path of a Python that has them. */
const python = () => join(pythonPrograms(...DATA_FRAMES), 'python');

/** The code of "CSV" in docs/api.md, which reads a file of the working directory. */
export async function csvImports(steps: Steps): Promise<void> {
  const response = await fetch(`${steps.serviceUrl}/api/markets?format=csv`);
  writeFileSync(join(steps.folder, 'markets.csv'), await response.text());
  // The code reads markets.csv into `frame` (pandas), `polar` (Polars) and `rows` (DuckDB). Token
  // ids have more than 70 digits, which a reader that takes them for numbers rounds.
  const code = codeBlock('docs/api.md', 'CSV', 'python');
  const check = `
import csv
expected = [row["clobTokenId"] for row in csv.DictReader(open("markets.csv", encoding="utf-8", newline=""))]
assert len(expected) > 50 and max(map(len, expected)) > 70, expected
found = [list(frame["clobTokenId"]), polar["clobTokenId"].to_list(), rows.df()["clobTokenId"].to_list()]
assert found == [expected] * 3, found
print("the same ids")`;
  const name = 'DuckDB, pandas and Polars, CSV of docs/api.md';
  await steps.run(name, [python(), '-c', code + check], { printed: /the same ids\n$/ });
}

/**
 * The code of docs/archive.md and calibration.sql, on calibrated prices with a past, and on prices
 * that are 40 % too close to 50 %.
 */
export async function archiveQueries(steps: Steps): Promise<void> {
  const calibrated = join(steps.folder, 'archive-calibrated');
  const biased = join(steps.folder, 'archive-biased');
  await simulateDays(calibrated, 0);
  await simulateDays(biased, 0.4);
  await simulatePast(calibrated, SIMULATED_NOW);
  await steps.run('DuckDB, pandas and Polars, docs/archive.md', [
    python(),
    // Without a folder of compiled modules.
    '-B',
    join(import.meta.dirname, 'archive_queries.py'),
    join(ROOT, 'docs/archive.md'),
    calibrated,
    biased,
  ]);
}

/** Writes 14 archived days. @param bias 0.4 for prices that are 40 % too close to 50 % */
async function simulateDays(folder: string, bias: number): Promise<void> {
  const store = new FolderStore(join(folder, 'data/archive'));
  await simulateArchive(store, { days: 14, now: SIMULATED_NOW, stepMs: 10 * MINUTE_MS, bias });
}
