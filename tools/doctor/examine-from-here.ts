import type { UpstreamName } from '../../lambda/contract/upstreams.ts';
import { type Examination, examine } from '../../lambda/doctor/doctor.ts';
import { systemClock } from '../../lambda/platform/clock.ts';

/** More than thirty calls ever take, at the time-out of each. */
const LONGEST_MS = 300_000;

/** The doctor's examination of the upstreams from this machine; in a deployment the refresher makes its own. */
export function examineFromHere(urls: Readonly<Record<UpstreamName, string>>): Promise<Examination> {
  const deadline = systemClock.now() + LONGEST_MS;
  return examine({ urls, fetch: globalThis.fetch, clock: systemClock, deadline });
}
