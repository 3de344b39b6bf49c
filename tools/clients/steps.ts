/** What the steps of `npm run test:clients` have in common. */
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from '../programs.ts';

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, '../..');
/** The TypeScript compiler, with options as strict as those of a careful caller. */
export const TSC = [
  join(ROOT, 'node_modules/.bin/tsc'),
  ...['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'],
];

/** Where a program runs, and what it prints if it passes. */
interface StepOptions {
  /** @default the temporary folder of all steps */
  readonly cwd?: string;
  /** @default any output */
  readonly printed?: RegExp;
}

/** Runs programs of other projects against the local service, and counts those that fail. */
export class Steps {
  /** The temporary folder in which the programs run. */
  readonly folder: string;
  readonly serviceUrl: string;
  failures = 0;

  constructor(folder: string, serviceUrl: string) {
    this.folder = folder;
    this.serviceUrl = serviceUrl;
  }

  /**
   * Runs a program, and prints whether it passed: it ends with status 0, and its output matches
   * `printed`. If it fails, prints all its output.
   */
  async run(
    name: string,
    [program = '', ...args]: readonly string[],
    { cwd = this.folder, printed = /^/ }: StepOptions = {},
  ): Promise<void> {
    // openapi-python-client runs a formatter of its environment.
    const path = [join(program, '..'), process.env.PATH].join(delimiter);
    const env = { ...process.env, PATH: path, LOCAL_SERVICE: this.serviceUrl };
    const { status, output } = await run(program, args, { cwd, env });
    const passed = status === 0 && printed.test(output);
    if (!passed) this.failures += 1;
    console.log(passed ? `${name}: passed` : `${output}\n${name}: failed with status ${status}`);
  }
}

/** The first block of code in a section of a document. @throws Error if there is none */
export function codeBlock(document: string, section: string, language: string): string {
  const [, text = ''] = readFileSync(join(ROOT, document), 'utf8').split(`\n## ${section}\n`);
  const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  if (code === undefined) throw new Error(`${document}, "${section}" has no ${language}`);
  return code;
}
