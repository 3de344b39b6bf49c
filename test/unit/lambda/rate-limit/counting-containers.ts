import { randomBytes } from 'node:crypto';
import { ClientCounter } from '../../../../lambda/rate-limit/client-counter.ts';
import type { RequestLog } from '../../../../lambda/rate-limit/request-log.ts';
import { MemoryRequestLog } from '../../../support/memory-request-log.ts';

export const LIMIT = 60;
export const START = Date.parse('2026-11-21T12:00:00Z');
export const { signal } = new AbortController();

/** Containers that share a log, and a clock that the test moves. */
export function rig(options: { readonly limit?: number; readonly unitsPerSecond?: number } = {}) {
  const time = { now: START };
  const now = () => time.now;
  const log = new MemoryRequestLog({ now, ...options });
  const container = (skew = 0, own: RequestLog = log) =>
    new ClientCounter({ limit: options.limit ?? LIMIT, log: own, now: () => time.now + skew, randomBytes });
  return { time, log, container };
}

export async function count(counter: ClientCounter, key = 'client'): Promise<boolean> {
  return counter.cachedRefusal(key) === undefined && (await counter.count(key, signal)).allowed;
}
