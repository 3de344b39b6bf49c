import { createFrontDoorWatch } from '../app/status/front-door-watch.ts';
import type { Environment } from '../io/platform/environment.ts';

export function create(environment: Environment): () => Promise<void> {
  return createFrontDoorWatch(environment);
}
