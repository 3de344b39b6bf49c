import { adviceOf, type Examined, examine, lineOf } from './facts.ts';
import type { Urls } from './visit.ts';

/**
 * How the first lines of `npm start` describe an upstream that is not simulated: which parts work,
 * and for each other part what is wrong and what to do. Never rejects.
 */
export async function firstContact(urls: Urls): Promise<string> {
  const areas = [...Map.groupBy(await examine(urls), ({ area }) => area)];
  const isWhole = (facts: readonly Examined[]): boolean => facts.every(({ holds }) => holds);
  const whole = areas.flatMap(([area, facts]) => (isWhole(facts) ? area : []));
  const lines = areas.flatMap(([area, facts]) => {
    const [worst, ...others] = facts.filter(({ holds }) => !holds);
    if (!worst) return [];
    const more = others.length > 0 ? ` ${others.length} more: npm run doctor.` : '';
    return [`${area}: ${lineOf(worst)}${more}`, `  ${adviceOf(area)}`];
  });
  if (lines.length > 0) lines.push('To send a report: npm run doctor -- --report FILE');
  return [`As expected from Polymarket: ${whole.join(', ') || 'nothing'}.`, ...lines].join('\n');
}
