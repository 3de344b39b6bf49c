import { type Context, resolveSettings } from './resolve-settings.ts';
import { checkTogether } from './settings-rules.ts';
import type { StageFiles } from './stage-files.ts';
import { type Stage, stageOf } from './stages.ts';

/**
 * The stage to synthesise: its file with the overrides of the context.
 *
 * @param context all of it, as `app.node.getAllContext()` has it
 * @throws {StageError} with a sentence that says what is allowed
 */
export function stageFromContext(context: Context, files?: StageFiles): Stage {
  const resolved = resolveSettings(context, files);
  checkTogether(resolved);
  return stageOf(resolved.stage, resolved.settings);
}
