import type { Examination, Examined } from '../../lambda/doctor/doctor.ts';

const VERDICTS = { holds: 'holds', changed: 'CHANGED', untested: 'untested' } as const;
const SUMMARIES = {
  well: 'The service would be well.',
  degraded: 'Something of the service would be worse or missing.',
  stopped: 'The service could not run.',
} as const;
/** Longer ones hold bodies of errors. */
const SEEN_CHARACTERS = 70;

/** Fact, grade, seen, verdict and meaning, a line each, and what it comes to. */
export function report({ facts, calls, durationMs, verdict }: Examination): string {
  const rows = facts.map((fact) => [
    `${fact.upstream}: ${fact.fact}`,
    fact.grade,
    shortened(fact.seen),
    VERDICTS[fact.verdict],
    meaningOf(fact),
  ]);
  const all = [['fact', 'grade', 'seen', 'verdict', 'meaning'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const count = (what: Examined['verdict']) => facts.filter((fact) => fact.verdict === what).length;
  const counts = `${count('holds')} hold, ${count('changed')} changed, ${count('untested')} untested`;
  return `${lines.join('\n')}\n\ndoctor: ${counts} (${calls} calls, ${(durationMs / 1_000).toFixed(1)} s). ${SUMMARIES[verdict]}`;
}

function meaningOf({ severity, meaning = '' }: Examined): string {
  return meaning === '' ? '' : severity === 'note' ? `note: ${meaning}` : meaning;
}

/** One line, without what a terminal would take for an order. */
function shortened(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return line.length <= SEEN_CHARACTERS ? line : `${line.slice(0, SEEN_CHARACTERS - 1)}…`;
}
