import type { GatewayResponseType } from './gateway-response-types.ts';
import { type GatewayRequest, headerOf } from './messages.ts';
import type { MethodDefinition } from './method-definition.ts';
import { QuotaCounter } from './quota-counter.ts';
import type { StageDefinition } from './stage-definition.ts';
import { type TokenBucket, TokenBuckets } from './throttle.ts';
import type { ApiKey, UsagePlan } from './usage-plans.ts';

export type AccessResult =
  | { readonly allowed: true; readonly apiKey: ApiKey | undefined }
  | { readonly allowed: false; readonly refusal: GatewayResponseType };

/** Decides who may pass: the key, then its plan's quota and throttles, then the throttle of stage and method. */
export class AccessCheck {
  readonly #stage: StageDefinition;
  readonly #plans: readonly UsagePlan[];
  readonly #keysByValue: ReadonlyMap<string, ApiKey>;
  readonly #buckets: TokenBuckets;
  readonly #quotas = new Map<string, QuotaCounter>();
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(
    stage: StageDefinition,
    plans: readonly UsagePlan[],
    keys: readonly ApiKey[],
    now: () => number = Date.now,
  ) {
    this.#stage = stage;
    this.#plans = plans;
    this.#keysByValue = new Map(keys.map((key) => [key.value, key]));
    this.#buckets = new TokenBuckets(now);
    this.#now = now;
  }

  check(method: MethodDefinition, request: GatewayRequest): AccessResult {
    const buckets: TokenBucket[] = [];
    const value = headerOf(request.headers, 'x-api-key');
    const apiKey = value === undefined ? undefined : this.#keysByValue.get(value);
    const plan = apiKey?.enabled ? this.#plans.find(({ keyIds }) => keyIds.has(apiKey.id)) : undefined;
    let quota: QuotaCounter | undefined;
    if (method.apiKeyRequired) {
      if (apiKey === undefined || plan === undefined) return { allowed: false, refusal: 'INVALID_API_KEY' };
      quota = this.#quota(plan, apiKey);
      if (quota?.exceeded) return { allowed: false, refusal: 'QUOTA_EXCEEDED' };
      buckets.push(...this.#planBuckets(plan, apiKey, method, request.method));
    }
    buckets.push(...this.#stageBuckets(method, request.method));
    if (buckets.some((bucket) => !bucket.allows)) return { allowed: false, refusal: 'THROTTLED' };
    for (const bucket of buckets) bucket.take();
    quota?.count();
    return { allowed: true, apiKey: method.apiKeyRequired ? apiKey : undefined };
  }

  #planBuckets(
    plan: UsagePlan,
    key: ApiKey,
    { resource, httpMethod }: MethodDefinition,
    sent: string,
  ): TokenBucket[] {
    const owner = `${plan.id} ${key.id}`;
    const name = [sent, httpMethod]
      .map((method) => `${resource.path}/${method}`)
      .find((candidate) => candidate in plan.methodThrottles);
    const own = name === undefined ? undefined : plan.methodThrottles[name];
    return [
      ...(plan.throttle === undefined ? [] : [this.#buckets.bucket(owner, plan.throttle)]),
      ...(own === undefined ? [] : [this.#buckets.bucket(`${owner} ${name}`, own)]),
    ];
  }

  /** Each method has a bucket of its own, also where it inherits the stage's default. */
  #stageBuckets({ resource, httpMethod }: MethodDefinition, sent: string): TokenBucket[] {
    const { path } = resource;
    const throttle = this.#stage.throttleOf(path, [sent, httpMethod]);
    if (throttle === undefined) return [];
    // Under ANY, a method with settings of its own is counted apart from the others.
    const limits = `${throttle.rateLimit}/${throttle.burstLimit}`;
    return [this.#buckets.bucket(`stage ${path} ${httpMethod} ${limits}`, throttle)];
  }

  #quota(plan: UsagePlan, key: ApiKey): QuotaCounter | undefined {
    if (plan.quota === undefined) return undefined;
    const owner = `${plan.id} ${key.id}`;
    const counter = this.#quotas.get(owner) ?? new QuotaCounter(plan.quota, this.#now);
    this.#quotas.set(owner, counter);
    return counter;
  }
}
