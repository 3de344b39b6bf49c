import { callOnce } from '../../lambda/io/upstream/http-call.ts';
import { codeOf } from '../../lambda/io/upstream/upstream-error.ts';
import type { Fact, Finding } from './fact.ts';
import { CHANGE_FACTS, HISTORY_FACTS, PAST_FACTS } from './history-facts.ts';
import { LIST_FACTS } from './list-facts.ts';
import { BOOK_FACTS, PRICE_FACTS } from './price-facts.ts';
import { type Urls, Visit } from './visit.ts';

interface Area {
  readonly facts: readonly Fact[];
  /** What to do if one of them does not hold. */
  readonly advice: string;
}

/** What the service needs of its upstreams, by the part of the service that needs it. */
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

export interface Examined extends Omit<Fact, 'look'> {
  readonly area: AreaName;
  readonly holds: boolean;
  readonly seen: string;
}

/**
 * Looks at the facts of all areas, one fact of each at a time. Never throws: an upstream that does
 * not respond is a finding.
 *
 * @param call makes each call to an upstream
 */
export async function examine(
  urls: Urls,
  call: typeof callOnce = callOnce,
): Promise<readonly Examined[]> {
  const visit = new Visit(urls, call);
  const areas = Object.entries(AREAS) as [AreaName, Area][];
  const lookAt = async ([area, { facts }]: [AreaName, Area]): Promise<Examined[]> => {
    const examined: Examined[] = [];
    for (const { look, ...fact } of facts) {
      const [holds, seen] = await look(visit).catch((error): Finding => [false, messageOf(error)]);
      examined.push({ ...fact, area, holds, seen });
    }
    return examined;
  };
  return (await Promise.all(areas.map(lookAt))).flat();
}

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
    return [`${area}: ${lineOf(worst)}${more}`, `  ${AREAS[area].advice}`];
  });
  if (lines.length > 0) lines.push('To send a report: npm run doctor -- --report FILE');
  return [`As expected from Polymarket: ${whole.join(', ') || 'nothing'}.`, ...lines].join('\n');
}

/** 0: all facts hold; 1: a part of the service is worse; 2: the service cannot run. */
export function exitStatus(facts: readonly Examined[]): 0 | 1 | 2 {
  const broken = facts.filter(({ holds }) => !holds);
  return broken.some(({ isNeeded }) => isNeeded) ? 2 : broken.length > 0 ? 1 : 0;
}

/** One line for a fact. Upstream text can contain control characters. */
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
