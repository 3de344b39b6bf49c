import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isSettingName, SETTINGS } from '../../../../lib/config/settings.ts';
import { STAGE_FILES } from '../../../../lib/config/stage-files.ts';
import { commandsOf, contextIn } from '../../../../tools/docs/commands.ts';
import { synthesizeStack } from '../../../support/stack.ts';

const PAGES = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...['docs/runbook.md', 'docs/deployment.md', 'docs/security.md', 'docs/faults.md'],
];
const commands = PAGES.flatMap((page) => commandsOf(page, readFileSync(page, 'utf8')));
/** What a reader fills in; every other name in brackets is an output of the stack. */
const FILLED_IN = [
  'stage',
  'account',
  'id',
  'tag',
  'old',
  'owner',
  'repository',
  'base-url',
  'value',
  'setting',
];
const outputs = Object.keys(synthesizeStack().toJSON().Outputs);

describe('the commands of the pages', () => {
  it('are many: the pages are read as they are written', () => {
    expect(commands.filter(({ page }) => page === 'docs/runbook.md').length).toBeGreaterThanOrEqual(8);
    expect(commands.filter(({ page }) => page === 'docs/deployment.md').length).toBeGreaterThan(20);
  });

  it('set what can be set, to what it may be', () => {
    const wrong = commands.flatMap(({ page, text }) =>
      contextIn(text).flatMap(([key, value]) => {
        if (/[…<]/.test(key + value)) return [];
        const right =
          key === 'stage'
            ? STAGE_FILES.names().includes(value) || value === 'staging'
            : isSettingName(key) && SETTINGS[key].kind.readText(value) !== undefined;
        return right ? [] : [`${page}: -c ${key}=${value}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('name settings in the running text that there are', () => {
    const named = PAGES.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/`-c ([a-zA-Z]+)=/g)].map(([, key]) => String(key)),
    );
    expect(named.filter((key) => key !== 'stage' && !isSettingName(key))).toEqual([]);
    expect(named.length).toBeGreaterThan(8);
  });

  it('run programs by scripts of package.json, which find the Node that can read them', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const run = commands.flatMap(({ text }) => /^npm run ([\w:-]+)/.exec(text)?.[1] ?? []);
    expect(run.filter((name) => !(name in scripts))).toEqual([]);
    expect(commands.filter(({ text }) => /^node \S+\.ts/.test(text))).toEqual([]);
  });

  it('ask for outputs of the stack, or for what the reader knows', () => {
    const asked = commands.flatMap(({ text }) =>
      [...text.matchAll(/<([\w-]+)>/g)].map(([, name]) => String(name)),
    );
    expect(asked.filter((name) => !outputs.includes(name) && !FILLED_IN.includes(name))).toEqual([]);
    expect(asked).toEqual(expect.arrayContaining(['RefresherName', 'FailedQueueUrl', 'UndeliveredQueueUrl']));
  });
});

describe('the commands of a page', () => {
  const page =
    'Run `aws sts get-caller-identity`, not `x`.\n\n```text\nnpm run a -- -c b=1   # why\ngit pull && npm ci\n```\n';

  it('stand in its blocks and between backticks', () => {
    expect(commandsOf('p', page).map(({ text }) => text)).toEqual([
      'npm run a -- -c b=1',
      'git pull',
      'npm ci',
      'aws sts get-caller-identity',
    ]);
    expect(contextIn('npm run a -- -c b=1')).toEqual([['b', '1']]);
  });
});
