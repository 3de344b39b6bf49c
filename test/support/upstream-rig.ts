import { Upstream } from '../../lambda/upstream/client.ts';
import type { UpstreamName } from '../../lambda/upstream/upstreams.ts';
import { WatchedClock } from './watched-clock.ts';

/** Clients of a stub, with a manual clock and with the warnings that they log. */
export function upstreamRig(baseUrl: string, random = 0.5) {
  const clock = new WatchedClock();
  const warnings: Record<string, unknown>[] = [];
  const observer = { warn: (message: string, fields: object = {}) => warnings.push({ message, ...fields }) };
  const upstream = (name: UpstreamName) => new Upstream(name, { baseUrl, clock, random: () => random, observer });
  return { clock, warnings, upstream };
}
