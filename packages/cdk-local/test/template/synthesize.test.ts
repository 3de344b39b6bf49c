import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { synthesize } from '../../src/template/synthesize.ts';

let folder: string;
const TMPDIR = process.env.TMPDIR;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synthesize-test-'));
  process.env.TMPDIR = folder;
});
afterEach(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(folder, { recursive: true });
});

/** A CDK app is any program that fills CDK_OUTDIR. */
function app(source: string): void {
  writeFileSync(join(folder, 'app.mjs'), source);
  writeFileSync(
    join(folder, 'cdk.json'),
    JSON.stringify({ app: 'node app.mjs', context: { flag: true, stage: 'a' } }),
  );
}

function leftovers(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('cdk-local-'));
}

const WRITES_TWO_STACKS = `
import { writeFileSync, mkdirSync } from 'node:fs';
const out = process.env.CDK_OUTDIR + '/';
const write = (name, value) => writeFileSync(out + name, JSON.stringify(value));
mkdirSync(out + 'asset.abc');
write('Api.template.json', { Resources: { Api: { Type: 'AWS::ApiGateway::RestApi' } }, Metadata: JSON.parse(process.env.CDK_CONTEXT_JSON) });
write('Acl.template.json', { Resources: { Acl: { Type: 'AWS::WAFv2::WebACL' } } });
write('Api.assets.json', { files: { abc: {
  source: { path: 'asset.abc', packaging: 'zip' },
  destinations: { 'current': { objectKey: 'prefix/abc.zip' } },
} } });
const stack = (name, region) => ({ type: 'aws:cloudformation:stack', environment: 'aws://unknown-account/' + region, properties: { templateFile: name + '.template.json', stackName: 'my-' + name } });
write('manifest.json', { artifacts: {
  Api: stack('Api', 'unknown-region'), Acl: stack('Acl', 'us-east-1'),
  'Api.assets': { type: 'cdk:asset-manifest', properties: { file: 'Api.assets.json' } },
  Tree: { type: 'cdk:tree', properties: { file: 'tree.json' } },
} });`;

it('the stack with the API is read, with its bundles, from a folder that can be disposed of', async () => {
  app(WRITES_TWO_STACKS);
  const assembly = await synthesize({ stage: 'b' }, { projectFolder: folder });
  expect(assembly.place).toEqual({ stackName: 'my-Api', region: 'us-east-1', account: '000000000000' });
  expect(assembly.template.Metadata).toEqual({ flag: true, stage: 'b' });
  expect(existsSync(assembly.bundleFolder('prefix/abc.zip'))).toBe(true);
  expect(() => assembly.bundleFolder('other.zip')).toThrow('holds no bundle for other.zip');
  await assembly.dispose();
  expect(leftovers()).toEqual([]);
});

it('an app that throws is told in one sentence, and nothing is left', async () => {
  app('console.error("some context"); throw new RangeError("the stage is unknown.");');
  await expect(synthesize({}, { projectFolder: folder })).rejects.toMatchObject({
    name: 'StartError',
    message: 'The CDK app failed: the stage is unknown.',
    detail: 'some context',
  });
  expect(leftovers()).toEqual([]);
});

it('an app that only exits is told with what it wrote', async () => {
  app('console.error("bad luck"); process.exit(3);');
  await expect(synthesize({}, { projectFolder: folder })).rejects.toMatchObject({
    message: 'The CDK app failed with status 3.',
    detail: 'bad luck',
  });
});

it('an app without an API is told', async () => {
  app(WRITES_TWO_STACKS.replace('AWS::ApiGateway::RestApi', 'AWS::SQS::Queue'));
  await expect(synthesize({}, { projectFolder: folder })).rejects.toThrow(
    'no stack with an AWS::ApiGateway::RestApi',
  );
});

it('an abort ends the app and what it has started, and removes what they wrote', async () => {
  app(`
    import { spawnSync } from 'node:child_process';
    spawnSync(process.execPath, ['-e', 'setInterval(() => require("fs").appendFileSync("heartbeat", "."), 10)']);`);
  const abort = new AbortController();
  const synthesis = synthesize({}, { projectFolder: folder, signal: abort.signal });
  const settled = expect(synthesis).rejects.toMatchObject({ name: 'AbortError' });
  const heartbeat = join(folder, 'heartbeat');
  while (!existsSync(heartbeat)) await sleep(20);
  abort.abort();
  await settled;
  expect(leftovers()).toEqual([]);
  const beats = readFileSync(heartbeat, 'utf8');
  await sleep(60);
  expect(readFileSync(heartbeat, 'utf8')).toBe(beats);
});
