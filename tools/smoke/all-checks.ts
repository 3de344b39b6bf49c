import type { Check } from './check.ts';
import { AGENT_CHECKS } from './checks/agents.ts';
import { CLOB_CHECKS } from './checks/clob.ts';
import { CORS_CHECKS } from './checks/cors.ts';
import { ERROR_CHECKS } from './checks/errors.ts';
import { LIMIT_CHECKS } from './checks/limits.ts';
import { MARKET_CHECKS } from './checks/markets.ts';
import { PAGE_CHECKS } from './checks/page.ts';
import { QUERY_CHECKS } from './checks/queries.ts';
import { SEARCH_CHECKS } from './checks/search.ts';
import { SERVICE_CHECKS } from './checks/service.ts';

/** Everything that is expected of a deployment from outside, about 65 requests, of which 40 are counted. */
export const ALL_CHECKS = [
  ...SERVICE_CHECKS,
  ...MARKET_CHECKS,
  ...SEARCH_CHECKS,
  ...QUERY_CHECKS,
  ...CLOB_CHECKS,
  ...AGENT_CHECKS,
  ...PAGE_CHECKS,
  ...CORS_CHECKS,
  ...LIMIT_CHECKS,
  ...ERROR_CHECKS,
];

export type CheckName = (typeof ALL_CHECKS)[number] extends Check<infer Name> ? Name : never;

/** The checks that a caller without a limit, such as a partner, cannot pass. */
export const ABOUT_LIMITS: ReadonlySet<CheckName> = new Set(LIMIT_CHECKS.map(({ name }) => name));
