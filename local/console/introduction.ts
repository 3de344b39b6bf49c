import { FRESH_SECONDS, PUBLISH_GRACE_SECONDS } from '../../lambda/contract/constants.ts';
import type { Parameter } from '../../lambda/contract/parameters.ts';
import { ROUTES, type Route } from '../../lambda/contract/routes.ts';
import type { LocalService } from '../local-service.ts';
import type { UpstreamChoice } from '../options.ts';
import { duration } from './format.ts';

/** Says plainly what the data is. @param description of the simulator's markets */
export function dataSentence(choice: UpstreamChoice, description: string): string {
  switch (choice.kind) {
    case 'simulated':
      return `The data is SIMULATED, not real: ${description}.`;
    case 'recorded':
      return `The data is RECORDED, not current: ${description}.`;
    case 'live':
      return "The data is LIVE, from Polymarket's own services.";
    case 'given':
      return `The data comes from ${[...new Set([choice.gammaUrl, choice.clobUrl, choice.dataUrl])].join(' and ')}.`;
  }
}

/** A warning when runs are so far apart that the data goes stale between them. */
export function stalenessWarning(
  refreshEverySeconds: number | undefined,
  scheduleSeconds: number,
): string | undefined {
  const limit = Math.max(FRESH_SECONDS, scheduleSeconds) + PUBLISH_GRACE_SECONDS;
  if (refreshEverySeconds === undefined || refreshEverySeconds <= limit) return undefined;
  return `Warning: with --refresh-every ${refreshEverySeconds} the data goes stale between runs: after ${limit} s the markets are answered with 502.`;
}

/** Commands to try, for the endpoints that the API has. */
export function examples({ url, api, publicKey }: LocalService): string[] {
  const key = publicKey === undefined ? '' : `-H 'x-api-key: ${publicKey}' `;
  const served = new Set(api.methods.map(({ resource }) => resource.path));
  return Object.values<Route>(ROUTES)
    .filter(({ path }) => served.has(path))
    .map(({ path, parameters }) => `  curl ${key}'${url}${path}${exampleQuery(parameters)}'`);
}

/** One line about the functions and where they keep their data. */
export function facts(service: LocalService): string[] {
  const { functions, tables, dynamodbUrl, apiUrl, api, publicKey, refreshIntervalMs } = service;
  const way =
    publicKey === undefined
      ? `around the front door at ${apiUrl} (needs a key)`
      : `no front door: every call needs a key`;
  return [
    `Tables in the embedded DynamoDB at ${dynamodbUrl}: ${[...tables.values()].join(', ')}`,
    `Functions: ${functions
      .all()
      .map(({ definition: { id, memoryMb } }) => `${id} (${memoryMb} MB)`)
      .join(', ')}`,
    `API: ${api.methods.length} methods, stage ${api.stage.name}; ${way}`,
    `Refresh: now, then every ${duration(refreshIntervalMs)}`,
  ];
}

/** The parameters that a request needs; else the first one there is. */
function exampleQuery(parameters: Readonly<Record<string, Parameter>>): string {
  const all = Object.entries(parameters);
  const required = all.filter(([, parameter]) => 'required' in parameter && parameter.required);
  const shown = required.length > 0 ? required : all.slice(0, 1);
  const pairs = shown.map(([name, parameter]) =>
    parameter.kind === 'token-id' ? `${name}=<clobTokenId of a market>` : `${name}=${parameter.example}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
