import { describe, expect, it } from '@jest/globals';
import { only, resources, type Template, template } from '../templates.ts';

/**
 * A model of AWS, with the numbers of the templates: the token bucket of the public plan, and
 * before it the web ACL. AWS applies both on a best-effort basis. WAF "checks the rate about every
 * 10 seconds". Here it acts on counts that are 20 seconds old: AWS says "usually below 30 seconds".
 */
const CHECK_SECONDS = 10;
const LAG_SECONDS = 20;
const FIRST_MINUTE = 60;
const DURATION = 600;

type Plan = Readonly<Record<'RateLimit' | 'BurstLimit', number>>;
type Rule = Readonly<Record<'Limit' | 'EvaluationWindowSec', number>>;

function planOf(from: Template): Plan {
  const plans = resources(from, 'AWS::ApiGateway::UsagePlan');
  const everyone = plans.find(([id]) => id.startsWith('PlansPublic'));
  return everyone?.[1].Properties.Throttle as Plan;
}

function ruleOf(from: Template): Rule {
  const [, { Properties }] = only(from, 'AWS::WAFv2::WebACL');
  const [rule] = Properties.Rules as [{ Statement: { RateBasedStatement: Rule } }];
  return rule.Statement.RateBasedStatement;
}

/** The times of requests at random moments of each second, the same in each run. */
function callersOf(rates: readonly number[]): readonly (readonly number[])[] {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return rates.map((rate) =>
    Array.from({ length: DURATION * rate }, (_, n) => Math.floor(n / rate) + random()),
  );
}

/** The checks after which WAF blocks a caller, because its window held too many requests. */
function blockingChecks(times: readonly number[], rule: Rule): ReadonlySet<number> {
  const checks = Array.from({ length: DURATION / CHECK_SECONDS }, (_, n) => n);
  return new Set(
    checks.filter((check) => {
      const until = check * CHECK_SECONDS - LAG_SECONDS;
      const from = until - rule.EvaluationWindowSec;
      return times.filter((time) => time > from && time <= until).length > rule.Limit;
    }),
  );
}

/** The share of its requests after the first minute that reach the functions, for each caller. */
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
    if (time > FIRST_MINUTE) passed[caller] = (passed[caller] ?? 0) + 1;
  }
  return callers.map(
    (times, caller) => (passed[caller] ?? 0) / times.filter((time) => time > FIRST_MINUTE).length,
  );
}

describe('the shared rate, in a model', () => {
  it.each(['dev', 'prod'] as const)(
    'leaves twenty callers at their limit whole [sentence 33]: %s',
    (stage) => {
      const shares = sharesOf(Array(20).fill(1), planOf(template(stage)));
      expect(Math.min(...shares)).toBe(1);
    },
  );

  it('leaves a caller whole beside a fast address, where there is a web ACL', () => {
    const prod = template('prod');
    // One and a hundred requests a second.
    const [polite = 0, fast = 1] = sharesOf([1, 100], planOf(prod), ruleOf(prod));
    expect(polite).toBeGreaterThanOrEqual(0.99);
    expect(fast).toBeLessThan(0.01);
  });
});
