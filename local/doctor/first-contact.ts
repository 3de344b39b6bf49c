import { type AreaName, adviceOf, type Examined, examine, lineOf } from './facts.ts';
import type { Urls } from './visit.ts';

/** How the first lines of `npm start` describe an upstream that is not simulated. Never rejects. */
export async function firstContact(urls: Urls): Promise<string> {
  return summaryOf(await examine(urls));
}

/** Which parts work, and for each other part what is wrong and what to do. */
function summaryOf(facts: readonly Examined[]): string {
  const areas = [...Map.groupBy(facts, ({ area }) => area)];
  const isWhole = (ofArea: readonly Examined[]): boolean => ofArea.every(({ holds }) => holds);
  const whole = areas.flatMap(([area, ofArea]) => (isWhole(ofArea) ? area : []));
  const others = areas.filter(([, ofArea]) => !isWhole(ofArea));
  // If an upstream is away, several areas fail in the same way.
  const alike = Map.groupBy(others, ([, ofArea]) => worstOf(ofArea).seen);
  const lines = [...alike.values()].flatMap((group) => linesOf(group));
  const hint = 'To send a report: npm run doctor -- --report FILE';
  return [
    whole.length > 0
      ? `As expected from Polymarket: ${whole.join(', ')}.`
      : 'Nothing of Polymarket works as expected.',
    ...lines,
    ...(lines.length > 0 ? [hint] : []),
  ].join('\n');
}

function linesOf(group: readonly (readonly [AreaName, readonly Examined[]])[]): string[] {
  const [[first, facts]] = group as [[AreaName, readonly Examined[]]];
  const names = group.map(([area]) => area);
  const more = facts.filter(({ holds }) => !holds).length - 1;
  const others = more > 0 ? ` ${more} more: npm run doctor.` : '';
  return [`${names.join(', ')}: ${lineOf(worstOf(facts))}${others}`, `  ${adviceOf(first)}`];
}

/** Of facts of which one does not hold, the one that matters most. */
function worstOf(facts: readonly Examined[]): Examined {
  const broken = facts.filter(({ holds }) => !holds);
  return (broken.find(({ isNeeded }) => isNeeded) ?? broken[0]) as Examined;
}
