import { describe, expect, it } from '@jest/globals';
import { only, resources, type Template, template } from '../templates.ts';

/** WAF "checks the rate about every 10 seconds". */
const CHECK_SECONDS = 10;
/** The age of the counts on which WAF acts. AWS says "usually below 30 seconds". */
const LAG_SECONDS = 20;
/** WAF's window must fill first, so the shares leave out the first minute. */
const SETTLING_SECONDS = 60;
const DURATION_SECONDS = 600;

type Plan = Readonly<Record<'RateLimit' | 'BurstLimit', number>>;
type Rule = Readonly<Record<'Limit' | 'EvaluationWindowSec', number>>;

function planOf(from: Template): Plan {
  const plans = resources(from, 'AWS::ApiGateway::UsagePlan');
  const publicPlan = plans.find(([id]) => id.startsWith('PlansPublic'));
  return publicPlan?.[1].Properties.Throttle as Plan;
}

function ruleOf(from: Template): Rule {
  const [, { Properties }] = only(from, 'AWS::WAFv2::WebACL');
  const [rule] = Properties.Rules as [{ Statement: { RateBasedStatement: Rule } }];
  return rule.Statement.RateBasedStatement;
}

/**
 * The times of each caller's requests, in seconds: random moments of each second, the same in each
 * run.
 *
 * @param rates in requests per second
 */
function callersOf(rates: readonly number[]): readonly (readonly number[])[] {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return rates.map((rate) =>
    Array.from({ length: DURATION_SECONDS * rate }, (_, n) => Math.floor(n / rate) + random()),
  );
}

/**
 * The numbers of the checks after which WAF blocks a caller, because its window held too many
 * requests.
 */
function blockingChecks(times: readonly number[], rule: Rule): ReadonlySet<number> {
  const checks = Array.from({ length: DURATION_SECONDS / CHECK_SECONDS }, (_, n) => n);
  return new Set(
    checks.filter((check) => {
      const until = check * CHECK_SECONDS - LAG_SECONDS;
      const from = until - rule.EvaluationWindowSec;
      return times.filter((time) => time > from && time <= until).length > rule.Limit;
    }),
  );
}

/**
 * A model of AWS, with the numbers of the templates: the web ACL, if there is one, and behind it
 * the token bucket of the public plan. AWS applies both on a best-effort basis.
 *
 * @param rates of the callers, in requests per second
 * @returns for each caller, the share of its requests after the first minute that reach the
 * functions
 */
function sharesOf(rates: readonly number[], plan: Plan, rule?: Rule): readonly number[] {
  const callers = callersOf(rates);
  const blocking = callers.map((times) => (rule ? blockingChecks(times, rule) : new Set()));
  const requests = callers
    .flatMap((times, caller) => times.map((time) => ({ time, caller })))
    .sort((a, b) => a.time - b.time);
  const passed = rates.map(() => 0);
  let [tokens, last] = [plan.BurstLimit, 0];
  for (const { time, caller } of requests) {
    if (blocking[caller]?.has(Math.floor(time / CHECK_SECONDS))) continue;
    tokens = Math.min(plan.BurstLimit, tokens + (time - last) * plan.RateLimit);
    last = time;
    if (tokens < 1) continue;
    tokens -= 1;
    if (time > SETTLING_SECONDS) passed[caller] = (passed[caller] ?? 0) + 1;
  }
  return callers.map((times, caller) => {
    const sent = times.filter((time) => time > SETTLING_SECONDS).length;
    return (passed[caller] ?? 0) / sent;
  });
}

describe('the shared rate, in a model', () => {
  it.each(['dev', 'prod'] as const)(
    'refuses no request of twenty callers that each send 60 a minute [sentence 33]: %s',
    (stage) => {
      const shares = sharesOf(Array(20).fill(1), planOf(template(stage)));
      expect(Math.min(...shares)).toBe(1);
    },
  );

  it('refuses at most 1 % of a polite caller beside a fast one, if there is a web ACL', () => {
    const prod = template('prod');
    const requestsPerSecond = [1, 100];
    const [polite = 0, fast = 1] = sharesOf(requestsPerSecond, planOf(prod), ruleOf(prod));
    expect(polite).toBeGreaterThanOrEqual(0.99);
    expect(fast).toBeLessThan(0.01);
  });
});
