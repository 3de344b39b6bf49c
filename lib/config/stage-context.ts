import { type Context, resolveSettings } from './resolve-settings.ts';
import { checkTogether } from './settings-rules.ts';
import { type Stage, stageOf } from './stages.ts';

/**
 * The stage to synthesise: its file with the overrides of the context.
 *
 * @param context all of it, as `app.node.getAllContext()` has it
 * @param cliRegion where the CDK CLI deploys a stage that names no region: its limits are those of that region
 * @throws {StageError} with a sentence that says what is allowed
 */
export function stageFromContext(context: Context, cliRegion?: string): Stage {
  const resolved = resolveSettings(context);
  checkTogether(resolved, cliRegion);
  return stageOf(resolved.stage, resolved.settings, cliRegion);
}
