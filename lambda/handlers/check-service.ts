import { createCheck } from '../extras/check/check-service.ts';
import type { Environment } from '../io/platform/environment.ts';

export function create(environment: Environment): () => Promise<void> {
  return createCheck(environment);
}
