import {
  COUNTED_PER_MINUTE_MAX,
  FRESH_SECONDS,
  PUBLISH_GRACE_SECONDS,
} from '../../lambda/contract/constants.ts';
import type { LocalService } from '../local-service.ts';
import type { UpstreamChoice } from '../options.ts';
import { count, duration } from './format.ts';

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
  return `Warning: with --refresh-every ${refreshEverySeconds} the data goes stale between runs: after ${limit} s the markets are 502.`;
}

/** Says that a limit is too high to be kept. */
export function uncountedSentence(rateLimit: string | undefined): string | undefined {
  if (rateLimit === undefined || !(Number(rateLimit) > COUNTED_PER_MINUTE_MAX)) return undefined;
  return `No IP is limited: a limit above ${count(COUNTED_PER_MINUTE_MAX)} requests a minute is not counted.`;
}

/** Where the parts are, a short line each. */
export function facts(service: LocalService): string[] {
  const { functions, tables, dynamodbUrl, apiUrl, publicKey, refreshIntervalMs } = service;
  return [
    `${functions.all().length} functions; ${tables.size} tables in DynamoDB at ${dynamodbUrl}`,
    publicKey === undefined
      ? `Around the front door, with a key: ${apiUrl}`
      : 'No front door: every call needs a key',
    `Refresh: now, then every ${duration(refreshIntervalMs)}`,
  ];
}
