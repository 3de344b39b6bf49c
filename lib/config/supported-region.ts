import { region } from './setting-kinds.ts';
import { StageError } from './stage-error.ts';

/**
 * The region of the CLI's profile or environment, which may be no place for this service as a setting may.
 *
 * @throws {StageError}
 */
export function supportedRegion(name: string | undefined): string | undefined {
  if (name === undefined || region.read(name) !== undefined) return name;
  throw new StageError(`The CDK CLI deploys to ${name}: it must be ${region.allowed}.`);
}
