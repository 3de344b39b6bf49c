/**
 * The doctor: it examines whether the upstreams behave as the service needs, for `npm run doctor`
 * and for the first lines of `npm start` with a real upstream.
 */
import { callOnce } from '../../lambda/io/upstream/http-call.ts';
import { codeOf } from '../../lambda/io/upstream/upstream-error.ts';
import type { Fact, Finding } from './fact.ts';
import { CHANGE_FACTS, HISTORY_FACTS, PAST_FACTS } from './history-facts.ts';
import { LIST_FACTS } from './list-facts.ts';
import { BOOK_FACTS, PRICE_FACTS } from './price-facts.ts';
import { type Urls, Visit } from './visit.ts';

/** The facts about upstreams that one part of the service needs. */
interface Area {
  readonly facts: readonly Fact[];
  /** What to do if one of them does not hold. */
  readonly advice: string;
}

/** The facts by the part of the service that needs them. */
const AREAS = {
  list: {
    facts: LIST_FACTS,
    advice: 'Check that this machine reaches Gamma. If it does, Gamma has changed: send a report.',
  },
  prices: {
    facts: PRICE_FACTS,
    advice:
      'Check that this machine reaches CLOB, and its clock. If both are right, send a report.',
  },
  changes: {
    facts: CHANGE_FACTS,
    advice: 'Wait: each change appears when the service has run for as long as its window.',
  },
  books: {
    facts: BOOK_FACTS,
    advice: 'Use the best prices of the list, which come from another route.',
  },
  histories: {
    facts: HISTORY_FACTS,
    advice: 'Use the histories that there are: one route replaces the other as far as it can.',
  },
  past: {
    facts: PAST_FACTS,
    advice: 'Do not run npm run archive -- --past yet. The archive of days does not need it.',
  },
} as const satisfies Readonly<Record<string, Area>>;

type AreaName = keyof typeof AREAS;

/** A fact with what the doctor found about it. */
export interface Examined extends Omit<Fact, 'look'> {
  readonly area: AreaName;
  readonly holds: boolean;
  readonly seen: string;
}

/**
 * Looks at the facts of all areas. The areas run at the same time, the facts of an area one after
 * the other. Never throws: an upstream that does not respond is a finding.
 *
 * @param call makes each call to an upstream
 */
export async function examine(
  urls: Urls,
  call: typeof callOnce = callOnce,
): Promise<readonly Examined[]> {
  const visit = new Visit(urls, call);
  const names = Object.keys(AREAS) as AreaName[];
  const areas = await Promise.all(names.map((area) => examineArea(area, visit)));
  return areas.flat();
}

async function examineArea(area: AreaName, visit: Visit): Promise<Examined[]> {
  const examined: Examined[] = [];
  for (const { look, ...fact } of AREAS[area].facts) {
    const [holds, seen] = await look(visit).catch((error): Finding => [false, messageOf(error)]);
    examined.push({ ...fact, area, holds, seen });
  }
  return examined;
}

/**
 * How the first lines of `npm start` describe an upstream that is not simulated: which parts work,
 * and for each other part what is wrong and what to do. Never rejects.
 */
export async function firstContact(urls: Urls): Promise<string> {
  const working: AreaName[] = [];
  const problems: string[] = [];
  for (const [area, facts] of Map.groupBy(await examine(urls), (one) => one.area)) {
    const [broken, ...others] = facts.filter(({ holds }) => !holds);
    if (!broken) {
      working.push(area);
      continue;
    }
    const more = others.length > 0 ? ` ${others.length} more: npm run doctor.` : '';
    problems.push(`${area}: ${lineOf(broken)}${more}`, `  ${AREAS[area].advice}`);
  }
  if (problems.length > 0) problems.push('To send a report: npm run doctor -- --report FILE');
  const first = `As expected from Polymarket: ${working.join(', ') || 'nothing'}.`;
  return [first, ...problems].join('\n');
}

/** The exit status. 0: all facts hold; 1: a part of the service is worse; 2: it cannot run. */
export function exitStatus(facts: readonly Examined[]): 0 | 1 | 2 {
  const broken = facts.filter(({ holds }) => !holds);
  if (broken.length === 0) return 0;
  return broken.some(({ isNeeded }) => isNeeded) ? 2 : 1;
}

/** A fact in one line. Texts of upstreams can contain control characters, which become blanks. */
export function lineOf({ fact, holds, isNeeded, seen, otherwise }: Examined): string {
  const text = holds
    ? `ok     ${fact} (${seen})`
    : `${isNeeded ? 'STOPS ' : 'WORSE '} ${fact}: NO (${seen}). ${otherwise}`;
  return text.replace(/\p{Cc}+/gu, ' ');
}

/** An error in words: `prices: network ECONNREFUSED`. */
function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return `${message} ${codeOf(cause)}`.trim();
}
