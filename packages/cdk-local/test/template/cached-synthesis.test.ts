import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { synthesizeCached } from '../../src/template/cached-synthesis.ts';

/** Counts its runs, and fails when told to. */
const APP = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
appendFileSync('runs', '.');
if (readFileSync('source', 'utf8') === 'broken') throw new Error('it is broken.');
const out = process.env.CDK_OUTDIR + '/';
const write = (name, value) => writeFileSync(out + name, JSON.stringify(value));
write('Api.template.json', { Resources: { Api: { Type: 'AWS::ApiGateway::RestApi' } }, Metadata: JSON.parse(process.env.CDK_CONTEXT_JSON) });
write('manifest.json', { artifacts: { Api: { type: 'aws:cloudformation:stack', environment: 'aws://a/b', properties: { templateFile: 'Api.template.json' } } } });`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cached-synthesis-test-'));
  write('app.mjs', APP);
  write('source', 'one');
  write('runs', '');
  write('cdk.json', '{"app":"node app.mjs"}');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

const runs = (): number => readFileSync(join(folder, 'runs'), 'utf8').length;
const cacheFolder = (): string => join(folder, 'cache');
const synthesize = (context: Readonly<Record<string, string>> = {}) =>
  synthesizeCached(context, {
    projectFolder: folder,
    inputs: ['app.mjs', 'source', 'absent'],
    cacheFolder: cacheFolder(),
  });

it('the app runs once for the same files and the same context', async () => {
  const first = await synthesize({ stage: 'a' });
  const second = await synthesize({ stage: 'a' });
  expect(second.template).toEqual(first.template);
  expect(second.template.Metadata).toEqual({ stage: 'a' });
  expect(runs()).toBe(1);
});

it('another context or a changed file makes it run again', async () => {
  await synthesize();
  await synthesize({ stage: 'b' });
  write('source', 'two');
  await synthesize();
  expect(runs()).toBe(3);
});

it('a failed run leaves nothing to be found by the next', async () => {
  write('source', 'broken');
  await expect(synthesize()).rejects.toThrow('The CDK app failed: it is broken.');
  expect(readdirSync(cacheFolder())).toEqual([]);
  await expect(synthesize()).rejects.toThrow('The CDK app failed: it is broken.');
});

it('two at once both get a complete assembly', async () => {
  const [one, other] = await Promise.all([synthesize(), synthesize()]);
  expect(one?.template).toEqual(other?.template);
  expect(readdirSync(cacheFolder())).toHaveLength(1);
});

it('what nobody has used for a day is removed', async () => {
  await synthesize();
  const [old = ''] = readdirSync(cacheFolder());
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  utimesSync(join(cacheFolder(), old), twoDaysAgo, twoDaysAgo);
  await synthesize({ stage: 'b' });
  expect(existsSync(join(cacheFolder(), old))).toBe(false);
});
