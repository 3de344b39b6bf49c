/** `npm run doctor`: checks that upstreams behave as the service needs. Options: see USAGE. */
import { writeFileSync } from 'node:fs';
import { perUpstream, UPSTREAMS } from '../lambda/io/upstream/upstreams.ts';
import { examine, exitStatus, lineOf } from '../local/doctor/facts.ts';
import { type ObservedCall, observed, reportOf } from '../local/doctor/report.ts';
import type { Urls } from '../local/doctor/visit.ts';
import { exitWithUsage, readArguments } from './arguments.ts';

const USAGE = `Usage: npm run doctor -- [--report FILE] [--gamma-url URL] [--clob-url URL] [--data-url URL]

Makes about 30 calls to the upstreams and checks the facts that the service needs.
--report FILE writes facts, statuses, times and the shapes of responses, without their texts, for an issue.
Exit status: 0 all facts hold; 1 the service can run, but a part of it is worse; 2 the service cannot run.`;

/** The last line, by the exit status. */
const VERDICTS = [
  'The service can run.',
  'The service can run; a part of it is worse.',
  'The service cannot run.',
];

/** The addresses of the upstreams, without a trailing slash. @throws Error with a sentence */
function readUrls(values: Readonly<Record<string, string | undefined>>): Urls {
  return perUpstream((name) => {
    const address = values[`${name}-url`] ?? UPSTREAMS[name].url;
    if (URL.canParse(address) && /^https?:/.test(address)) return address.replace(/\/$/, '');
    throw new Error(`--${name}-url must be an http or https address.`);
  });
}

try {
  const text = { type: 'string' } as const;
  const options = { report: text, 'gamma-url': text, 'clob-url': text, 'data-url': text };
  const values = readArguments(USAGE, options);
  const urls = readUrls(values);
  const calls: ObservedCall[] = [];
  const facts = await examine(urls, observed(calls));
  console.log([...facts.map(lineOf), '', VERDICTS[exitStatus(facts)]].join('\n'));
  if (values.report !== undefined) {
    writeFileSync(values.report, reportOf(facts, calls, new Date().toISOString()));
    console.log(`${values.report} has the report. It has no addresses and no texts of markets.`);
  }
  process.exitCode = exitStatus(facts);
} catch (error) {
  exitWithUsage(USAGE, (error as Error).message);
}
