import { createFrontDoorWatch } from '../app/status/front-door-watch.ts';
import type { Environment } from '../io/platform/environment.ts';

/** @returns a check that throws if the service does not respond at its public address */
export function create(environment: Environment): () => Promise<void> {
  return createFrontDoorWatch(environment);
}
