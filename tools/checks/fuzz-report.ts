/** What a run of schemathesis says at its end. */
export interface Findings {
  /** Cases that were generated; 0 where it does not say. */
  readonly cases: number;
  /** Its warnings, one a line. */
  readonly warnings: readonly string[];
}

/** Reads the summary of schemathesis' output. */
export function findingsOf(output: string): Findings {
  const cases = /^Test cases:\n\s+([\d,]+) generated/m.exec(output)?.[1] ?? '0';
  const warnings = /^Warnings:\n((?:[ \t]+\S.*\n)+)/m.exec(output)?.[1] ?? '';
  return {
    cases: Number(cases.replaceAll(',', '')),
    warnings: warnings
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  };
}

/** One process of several, which share the operations. */
export interface FuzzRun extends Findings {
  readonly status: number | null;
  readonly output: string;
}

/** @param wanted cases that make a run worth its name */
export function judge(runs: readonly Omit<FuzzRun, 'output'>[], wanted: number) {
  const cases = runs.reduce((sum, run) => sum + run.cases, 0);
  const problems = [
    ...runs.flatMap(({ status }) => (status === 0 ? [] : [`schemathesis ended with ${status}.`])),
    ...runs.flatMap(({ warnings }) => warnings).map((warning) => `A warning is a finding, too: ${warning}.`),
    ...(cases < wanted ? [`${cases} cases were generated, and at least ${wanted} are wanted.`] : []),
  ];
  return { problems, cases };
}
