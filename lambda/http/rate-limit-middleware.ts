import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type AddressLimit, resetSeconds, type Verdict, WINDOW_MS } from '../rate-limit/sliding-window.ts';
import { callerOf } from './caller.ts';

/** What a gate says of a request. */
export interface Pass {
  readonly refused: boolean;
  /** For the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Decides whether a request is answered. */
export interface Gate {
  /** A refusal that needs no question: the request's own work is not even begun. */
  knownRefusal(event: APIGatewayProxyEvent): Pass | undefined;
  /** Asked at the same time as the request's own work is done. Never rejects. */
  admit(event: APIGatewayProxyEvent): Promise<Pass>;
}

/** How a counted endpoint knows its callers. */
export interface Access {
  /** The id of the front door's own key. */
  readonly publicKeyId: string;
  /** Undefined where nobody is limited. */
  readonly gate: Gate | undefined;
}

const UNLIMITED: Pass = { refused: false, headers: {} };
const POLICY = 'per-ip';

/** The per-IP limit in HTTP: who is counted, and the headers that tell him (IETF draft RateLimit headers). */
export function perIpGate(counter: AddressLimit, publicKeyId: string, now: () => number): Gate {
  const policy = { 'RateLimit-Policy': `"${POLICY}";q=${counter.limit};w=${WINDOW_MS / 1_000}` };
  const passOf = (verdict: Verdict | undefined): Pass => {
    // Without a count there is still a limit, but nothing to say about what is left of it.
    if (!verdict) return { refused: false, headers: policy };
    const left = `"${POLICY}";r=${verdict.remaining};t=${resetSeconds(verdict, now())}`;
    return { refused: !verdict.allowed, headers: { ...policy, RateLimit: left } };
  };
  return {
    knownRefusal(event) {
      const caller = callerOf(event, publicKeyId);
      const verdict = caller.kind === 'anonymous' ? counter.knownRefusal(caller.address) : undefined;
      return verdict && passOf(verdict);
    },
    async admit(event) {
      const caller = callerOf(event, publicKeyId);
      return caller.kind === 'partner' ? UNLIMITED : passOf(await counter.count(caller.address));
    },
  };
}
