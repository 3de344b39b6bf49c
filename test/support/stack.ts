import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';

type Context = Readonly<Record<string, unknown>>;

const POLL_MS = 5;
const LONGEST_SYNTHESIS_MS = 90_000;

/** The template of the service's stack. */
export function synthesizeStack(context: Context = {}): Template {
  return Template.fromJSON(synthesize(context).service);
}

/** The template of the web ACL's stack. @throws where the stage has none */
export function synthesizeWaf(context: Context): Template {
  const { waf } = synthesize(context);
  if (!waf) throw new Error('The stage has no web ACL');
  return Template.fromJSON(waf);
}

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** All resources of a type by their logical ids. */
export function resources(template: Template, type: string): [string, Resource][] {
  return Object.entries(template.findResources(type)) as [string, Resource][];
}

interface Templates {
  readonly service: Record<string, unknown>;
  readonly waf?: Record<string, unknown>;
}

/** Asks synthesis-server.ts. It waits without giving way: a template is wanted before the tests are declared. */
function synthesize(context: Context): Templates {
  const folder = process.env.TEST_SYNTHESIS_FOLDER;
  if (!folder) throw new Error('jest-global-setup.js has not run');
  const key = createHash('sha256').update(JSON.stringify(context)).digest('hex');
  const file = (ending: string): string => join(folder, `${key}.${ending}`);
  if (!existsSync(file('json')) && !existsSync(file('request'))) {
    const draft = file(`${process.pid}.draft`);
    writeFileSync(draft, JSON.stringify({ context }));
    renameSync(draft, file('request'));
  }
  for (let waited = 0; !existsSync(file('json')); waited += POLL_MS) {
    if (waited > LONGEST_SYNTHESIS_MS) throw new Error('The synthesis has not ended');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  const { error, ...templates } = JSON.parse(readFileSync(file('json'), 'utf8'));
  if (error !== undefined) throw new Error(`The stage cannot be synthesised: ${error}`);
  return templates;
}
