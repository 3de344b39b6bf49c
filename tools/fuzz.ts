/**
 * The last part of `npm run test:clients`: schemathesis, a fuzzer for APIs, makes requests from the
 * API document, valid and invalid ones, and checks the responses against the document.
 */
import { join } from 'node:path';
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
/** The number of cases of each operation, without and with `--full`. */
const FEW_CASES = 25;
const FULL_CASES = 250;

/** What the person chose. */
interface FuzzOptions {
  readonly seed?: string | undefined;
  readonly full?: boolean | undefined;
}

/**
 * Generates requests to a service without a limit per client, and prints the number of cases.
 *
 * @returns whether there are no findings
 */
export async function fuzz(options: FuzzOptions): Promise<boolean> {
  const schemathesis = join(pythonPrograms('schemathesis'), 'schemathesis');
  const service = await startRunningService(MARKETS, { keepFresh: true });
  try {
    const env = {
      ...process.env,
      SCHEMATHESIS_HOOKS: 'tools.fuzz_hooks',
      PYTHONPATH: join(import.meta.dirname, '..'),
      PYTHONDONTWRITEBYTECODE: '1',
      FUZZ_DATA: JSON.stringify(await knownData(service.url)),
    };
    const args = argumentsOf(service.url, options);
    const { status, output } = await run(schemathesis, args, { env });
    const cases = /^Test cases:\n\s+([\d,]+) generated/m.exec(output)?.[1] ?? '0';
    const hasWarnings = /^Warnings:\n[ \t]+\S/m.test(output);
    const isClean = status === 0 && !hasWarnings && cases !== '0';
    if (!isClean) console.log(output);
    console.log(`fuzz: ${cases} cases, ${isClean ? 'no findings' : 'with findings'}`);
    return isClean;
  } finally {
    await service.stop();
  }
}

/** The arguments of schemathesis. */
function argumentsOf(url: string, { seed = '1', full = false }: FuzzOptions): readonly string[] {
  return [
    'run',
    `${url}/openapi.json`,
    '--url',
    url,
    '--checks',
    'all',
    '--no-color',
    '--seed',
    seed,
    '--phases',
    full ? 'examples,coverage,fuzzing' : 'examples,fuzzing',
    '--max-examples',
    String(full ? FULL_CASES : FEW_CASES),
    // Slow generation of cases says nothing about the service.
    '--suppress-health-check',
    'too_slow',
  ];
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
