import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../../../lambda/contract/routes.ts';
import { PRICES, PRICES_AS_OF } from '../../../../lib/prices.ts';
import { readMeasured } from '../../../../tools/costs/measured.ts';
import { billOf, monthOf } from '../../../../tools/costs/model.ts';
import { inCdkProcess } from '../../../support/cdk-process.ts';
import { sourcesIn } from '../../../support/import-graph.ts';

const SOURCES = ['bin', 'lib', 'lambda', 'local', 'packages', 'tools', 'test'].flatMap(sourcesIn);

describe('the generated documents', () => {
  it.each(Object.entries(inCdkProcess('documents')))('%s is current (npm run docs)', (name, text) => {
    expect(readFileSync(name, 'utf8')).toBe(text);
  });
});

describe('the cost model', () => {
  const dev = inCdkProcess('deployedOf', 'dev');
  const measured = readMeasured();
  const bill = (requests: number) => billOf(monthOf(dev, measured, requests));

  it('adds up to its rows, and free tiers only take off', () => {
    const { rows, list, afterFree } = bill(10_000_000);
    expect([...rows.values()].reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(list);
    expect(afterFree).toBeLessThan(list);
    expect(afterFree).toBeGreaterThan(0);
  });

  it('charges nothing for requests that nobody makes, and more for more', () => {
    expect(bill(0).rows.get('API Gateway')).toBeUndefined();
    expect(bill(1_000_000).rows.get('API Gateway')).toBeCloseTo(3.5);
    const lists = [0, 1, 10, 100].map((millions) => bill(millions * 1_000_000).list);
    expect(lists).toEqual(lists.toSorted((one, other) => one - other));
  });

  it('leaves the refresher 2.50 of the 10 USD that the idle default stage may cost a month', () => {
    const { rows, list } = bill(0);
    const refresher = (rows.get('Refresher') ?? 0) + (rows.get('DynamoDB: snapshots') ?? 0);
    expect(list - refresher).toBeLessThanOrEqual(7.5);
  });

  it('has a date and a source for each price', () => {
    expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    for (const { usd, source } of Object.values(PRICES)) {
      expect(usd).toBeGreaterThan(0);
      expect(source).toMatch(/^https:\/\/aws\.amazon\.com\/[\w-]+\/pricing\/$/);
    }
  });
});

describe('the pages of docs', () => {
  const pages = [
    'README.md',
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];

  it.each(pages)('%s links to files and headings that exist', (page) => {
    const text = readFileSync(page, 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => String(link));
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(page, '..', path);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});

/** A method of the Model Context Protocol, which looks like a folder. */
const NO_FILE = 'tools/list';

it('no sentence of page or source names a file or decision record that is gone', () => {
  const files = [...globSync('{*,docs/**/*,packages/*/*}.md', { exclude: ['**/node_modules'] }), ...SOURCES];
  const gone = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /\b(docs\/adr\/[\w.-]*\w)|`((?:lambda|lib|test|tools|local|packages)\/[\w./-]+)`/g,
      ),
    ]
      .map(([, record, path]) => String(record ?? path))
      .filter(
        (path) =>
          path !== NO_FILE &&
          !existsSync(path) &&
          !readdirSync('docs/adr').some((name) => `docs/adr/${name}`.startsWith(`${path}-`)),
      )
      .map((path) => `${file}: ${path}`),
  );
  expect(gone).toEqual([]);
});

describe('the README', () => {
  const [, layout = ''] = /## Layout\n+```text\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const foldersOf = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

  it.each(['lambda', 'test', 'lib'])('names each room of %s in its layout', (room) => {
    const [, ofRoom = ''] = new RegExp(`^${room}/(.*\n(?: .*\n)*)`, 'm').exec(layout) ?? [];
    expect(foldersOf(room).filter((name) => !new RegExp(`[ ;]${name}/`).test(ofRoom))).toEqual([]);
  });

  it('names each package in its layout', () => {
    expect(foldersOf('packages').filter((name) => !layout.includes(name))).toEqual([]);
  });
});

it('the changelog names each path that callers have', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  expect(Object.values(ROUTES).filter(({ path }) => !text.includes(`${path}\``))).toEqual([]);
});

/** As GitHub makes them of headings. */
function anchorsOf(page: string): string[] {
  const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text]) => String(text));
  return headings.map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the workflows', () => {
  const folder = '.github/workflows';
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

  it.each(files)('%s uses actions pinned by commit, with the version beside it', (_, text) => {
    const uses = [...text.matchAll(/uses: (.+)$/gm)].map(([, action]) => String(action));
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it.each(files)('%s may only read unless a job says more, and holds no secret', (_, text) => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    expect(text).not.toMatch(/secrets\.|AKIA|aws-access-key/);
  });

  it.each(files)('%s never puts an input into a script', (_, text) => {
    const scripts = [...text.matchAll(/run: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/g)].map(([all]) => all);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });
});
