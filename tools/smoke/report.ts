import type { CheckResult } from './run-checks.ts';

/** Longer details are cut: they hold questions of markets and bodies of errors. */
const DETAIL_CHARACTERS = 100;
const MARKS = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

/** The results as a table: check, result, milliseconds, detail. A failure's detail is never cut. */
export function table(results: readonly CheckResult[]): string {
  const rows = results.map(({ name, outcome, detail, ms }) => [
    name,
    MARKS[outcome],
    String(ms),
    outcome === 'failed' ? detail : shortened(detail),
  ]);
  const all = [['check', 'result', 'ms', 'detail'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map(([name = '', mark = '', ms = '', detail = '']) =>
      [name.padEnd(widths[0] ?? 0), mark.padEnd(widths[1] ?? 0), ms.padStart(widths[2] ?? 0), detail].join(
        '  ',
      ),
    )
    .join('\n');
}

export function count(results: readonly CheckResult[], outcome: CheckResult['outcome']): number {
  return results.filter((result) => result.outcome === outcome).length;
}

function shortened(detail: string): string {
  return detail.length <= DETAIL_CHARACTERS ? detail : `${detail.slice(0, DETAIL_CHARACTERS - 1)}…`;
}
