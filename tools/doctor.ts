/** `npm run doctor`: checks that upstreams behave as the service needs. Options: see USAGE. */
import { parseArgs } from 'node:util';
import { perUpstream, UPSTREAMS } from '../lambda/io/upstream/upstreams.ts';
import { CLOB_FACTS } from './doctor/clob-facts.ts';
import { DATA_FACTS } from './doctor/data-facts.ts';
import type { Fact, Finding } from './doctor/fact.ts';
import { GAMMA_FACTS } from './doctor/gamma-facts.ts';
import { type Urls, Visit } from './doctor/visit.ts';

const USAGE = `Usage: npm run doctor -- [--gamma-url URL] [--clob-url URL] [--data-url URL]

Makes about 25 calls to the upstreams and checks the facts that the service needs.
Exit status: 0 all facts hold; 1 the service can run, but a part of it is worse; 2 the service cannot run.`;

interface Examined extends Omit<Fact, 'look'> {
  readonly holds: boolean;
  readonly seen: string;
}

/** Never throws: an upstream that does not respond is a finding. */
export async function examine(urls: Urls): Promise<readonly Examined[]> {
  const visit = new Visit(urls);
  const examined: Examined[] = [];
  for (const { look, ...fact } of [...GAMMA_FACTS, ...CLOB_FACTS, ...DATA_FACTS]) {
    const [holds, seen] = await look(visit).catch((error): Finding => [false, messageOf(error)]);
    examined.push({ ...fact, holds, seen });
  }
  return examined;
}

/** 0: all facts hold; 1: a part of the service is worse; 2: the service cannot run. */
export function exitStatus(facts: readonly Examined[]): 0 | 1 | 2 {
  const broken = facts.filter(({ holds }) => !holds);
  return broken.some(({ isNeeded }) => isNeeded) ? 2 : broken.length > 0 ? 1 : 0;
}

function report(facts: readonly Examined[]): string {
  const lines = facts.map(({ fact, holds, isNeeded, seen, otherwise }) =>
    holds
      ? `ok     ${fact} (${seen})`
      : `${isNeeded ? 'STOPS ' : 'WORSE '} ${fact}: NO (${seen}). ${otherwise}`,
  );
  const verdicts = [
    'The service can run.',
    'The service can run; a part of it is worse.',
    'The service cannot run.',
  ];
  // Upstream text can contain control characters.
  return [...lines, '', verdicts[exitStatus(facts)]].join('\n').replace(/[^\P{Cc}\n]+/gu, ' ');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws Error with a sentence for a person */
function readUrls(args: readonly string[]): Urls {
  const url = { type: 'string' } as const;
  const options = { 'gamma-url': url, 'clob-url': url, 'data-url': url };
  const { values } = parseArgs({ args: [...args], options });
  return perUpstream((name) => {
    const address = values[`${name}-url`] ?? UPSTREAMS[name].url;
    if (URL.canParse(address) && /^https?:/.test(address)) return address.replace(/\/$/, '');
    throw new Error(`--${name}-url must be an http or https address.`);
  });
}

if (import.meta.main) {
  try {
    const facts = await examine(readUrls(process.argv.slice(2)));
    console.log(report(facts));
    process.exitCode = exitStatus(facts);
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${USAGE}`);
    process.exitCode = 2;
  }
}
