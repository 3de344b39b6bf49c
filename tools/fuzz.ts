/**
 * The last part of `npm run test:clients`: generated requests, valid and invalid ones, with all
 * checks of schemathesis. `-- --full` generates 10,000 cases or more, `-- --seed N` other ones.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  PATH_SEGMENT_PATTERN,
  SNAPSHOT_ID_PATTERN,
  TOKEN_ID_PATTERN,
} from '../lambda/core/contract/patterns.ts';
import { ROUTES, type Route } from '../lambda/core/contract/route-table.ts';
import { pythonPrograms, run } from './programs.ts';
import { startRunningService } from './running-service.ts';

/** The markets of the local service. */
const MARKETS = 300;
/** The cases use the ids of this many existing markets. */
const KNOWN_MARKETS = 40;
/** The cases of each operation, without and with `--full`. */
const EXAMPLES = { few: 25, full: 250 };

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, full: { type: 'boolean', default: false } },
});
const schemathesis = join(pythonPrograms('schemathesis'), 'schemathesis');
const service = await startRunningService(MARKETS, true);
try {
  const env = {
    ...process.env,
    SCHEMATHESIS_HOOKS: 'tools.fuzz_hooks',
    PYTHONPATH: join(import.meta.dirname, '..'),
    PYTHONDONTWRITEBYTECODE: '1',
    FUZZ_DATA: JSON.stringify(await knownData(service.url)),
  };
  const { status, output, warnings, cases } = await fuzz(env);
  const isClean = status === 0 && warnings === '' && cases > 0;
  if (!isClean) console.log(output);
  console.log(`fuzz: ${cases} cases, ${isClean ? 'no findings' : 'with findings'}`);
  if (!isClean) process.exitCode = 1;
} finally {
  await service.stop();
}

/** Runs schemathesis. @returns its result, its warnings, and the number of generated cases */
async function fuzz(env: NodeJS.ProcessEnv) {
  const { status, output } = await run(
    schemathesis,
    [
      'run',
      `${service.url}/openapi.json`,
      '--url',
      service.url,
      '--checks',
      'all',
      '--no-color',
      '--seed',
      values.seed,
      '--phases',
      values.full ? 'examples,coverage,fuzzing' : 'examples,fuzzing',
      '--max-examples',
      String(values.full ? EXAMPLES.full : EXAMPLES.few),
      // Slow generation of cases says nothing about the service.
      '--suppress-health-check',
      'too_slow',
    ],
    { env },
  );
  const cases = /^Test cases:\n\s+([\d,]+) generated/m.exec(output)?.[1] ?? '0';
  const warnings = /^Warnings:\n((?:[ \t]+\S.*\n)+)/m.exec(output)?.[1] ?? '';
  return { status, output, warnings, cases: Number(cases.replaceAll(',', '')) };
}

/** A market of the list, with the fields that the cases use. */
interface Listed {
  readonly id: string;
  readonly slug?: string;
  readonly eventSlug?: string;
  readonly clobTokenId: string;
}

/** The existing values that fuzz_hooks.py puts into most cases. */
async function knownData(url: string) {
  const fields = 'id,slug,eventSlug,clobTokenId';
  const response = await fetch(`${url}/api/markets?limit=${KNOWN_MARKETS}&fields=${fields}`);
  const markets = (await response.json()) as readonly Listed[];
  if (markets.length === 0) throw new Error('The service has no markets.');
  return {
    // Many cases contain these examples, which do not exist in the service.
    examples: Object.values<Route>(ROUTES).flatMap(({ parameters }) =>
      Object.values(parameters).map(({ example }) => example),
    ),
    asOf: Date.parse(response.headers.get('last-modified') ?? '') / 1_000,
    snapshot: response.headers.get('x-snapshot-id'),
    intervals: ROUTES['get-prices-history'].parameters.interval.values,
    tokens: markets.map(({ clobTokenId }) => clobTokenId),
    ids: markets.flatMap(({ id, slug, clobTokenId }) => [id, slug ?? id, clobTokenId]),
    events: [...new Set(markets.flatMap(({ eventSlug }) => eventSlug ?? []))],
    patterns: {
      snapshot: SNAPSHOT_ID_PATTERN,
      token: TOKEN_ID_PATTERN,
      segment: PATH_SEGMENT_PATTERN,
    },
  };
}
