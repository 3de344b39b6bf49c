/**
 * All callers without a key of their own share one usage plan of API Gateway: a rate in requests
 * per second, and a burst. These tests show in a model of AWS, with the numbers of the templates,
 * that polite callers get their share. In the model, API Gateway applies the plan as a token
 * bucket, and before it the web ACL blocks a fast address, some seconds late. AWS promises neither
 * exactly.
 */
import { describe, expect, it } from '@jest/globals';
import { Dice } from '../../support/dice.ts';
import { only, type Template, template, type UsagePlan, usagePlan } from '../templates.ts';

/** WAF, which applies the web ACL, "checks the rate about every 10 seconds". */
const CHECK_SECONDS = 10;
/** The age of the counts on which WAF acts. AWS says "usually below 30 seconds". */
const LAG_SECONDS = 20;
/** WAF's window of 60 s must fill first, so the first minute does not count. */
const SETTLING_SECONDS = 60;
const DURATION_SECONDS = 600;

/** The rule of the web ACL: at most `Limit` requests of an address in the window. */
interface Rule {
  readonly Limit: number;
  readonly EvaluationWindowSec: number;
}

function ruleOf(from: Template): Rule {
  const { properties } = only(from, 'AWS::WAFv2::WebACL');
  const [rule] = properties.Rules as [{ Statement: { RateBasedStatement: Rule } }];
  return rule.Statement.RateBasedStatement;
}

/** A caller in the model. */
interface Caller {
  /** When it sends its requests, in seconds. */
  readonly times: readonly number[];
  /** The numbers of the checks of WAF from which on it blocks the caller, until the next check. */
  readonly blockingChecks: ReadonlySet<number>;
  /** The requests that reached the functions after the first minute. */
  served: number;
}

/** The checks at which the rule's window has too many requests of a caller. */
function blockingChecks(times: readonly number[], rule: Rule): ReadonlySet<number> {
  const blocking = new Set<number>();
  for (let check = 0; check < DURATION_SECONDS / CHECK_SECONDS; check += 1) {
    const end = check * CHECK_SECONDS - LAG_SECONDS;
    const start = end - rule.EvaluationWindowSec;
    const counted = times.filter((time) => time > start && time <= end).length;
    if (counted > rule.Limit) blocking.add(check);
  }
  return blocking;
}

/** API Gateway's token bucket of a usage plan: `RateLimit` tokens a second, at most `BurstLimit`. */
class TokenBucket {
  readonly #plan: UsagePlan['Throttle'];
  #tokens: number;
  #filledAt = 0;

  constructor(plan: UsagePlan['Throttle']) {
    this.#plan = plan;
    this.#tokens = plan.BurstLimit;
  }

  /** Takes a token for a request, if there is one. */
  take(time: number): boolean {
    const added = (time - this.#filledAt) * this.#plan.RateLimit;
    this.#tokens = Math.min(this.#plan.BurstLimit, this.#tokens + added);
    this.#filledAt = time;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/**
 * Lets callers send requests for ten minutes.
 *
 * @param rates of the callers, in requests per second. They come at random moments of each second.
 * @param rule of the web ACL, if there is one
 * @returns for each caller, the share of its requests that reach the functions
 */
function sharesOf(rates: readonly number[], plan: UsagePlan, rule?: Rule): readonly number[] {
  const dice = new Dice(1);
  const callers = rates.map((rate): Caller => {
    const count = DURATION_SECONDS * rate;
    const times = Array.from({ length: count }, (_, n) => Math.floor(n / rate) + dice.random());
    return { times, blockingChecks: rule ? blockingChecks(times, rule) : new Set(), served: 0 };
  });
  const requests = callers.flatMap((caller) => caller.times.map((time) => ({ time, caller })));
  const bucket = new TokenBucket(plan.Throttle);
  for (const { time, caller } of requests.sort((a, b) => a.time - b.time)) {
    const isBlocked = caller.blockingChecks.has(Math.floor(time / CHECK_SECONDS));
    const isServed = !isBlocked && bucket.take(time);
    if (isServed && time > SETTLING_SECONDS) caller.served += 1;
  }
  return callers.map(({ times, served }) => {
    const sent = times.filter((time) => time > SETTLING_SECONDS).length;
    return served / sent;
  });
}

describe('the shared rate, in a model', () => {
  it.each(['dev', 'prod'] as const)(
    'refuses no request of twenty callers that each send 60 a minute [sentence 33]: %s',
    (stage) => {
      const requestsPerSecond = Array(20).fill(1);
      const shares = sharesOf(requestsPerSecond, usagePlan(template(stage), 'Public'));
      expect(Math.min(...shares)).toBe(1);
    },
  );

  it('refuses at most 1 % of a polite caller beside a fast one, thanks to the web ACL', () => {
    const prod = template('prod');
    const requestsPerSecond = [1, 100];
    const plan = usagePlan(prod, 'Public');
    const [polite = 0, fast = 1] = sharesOf(requestsPerSecond, plan, ruleOf(prod));
    expect(polite).toBeGreaterThanOrEqual(0.99);
    expect(fast).toBeLessThan(0.01);
  });
});
