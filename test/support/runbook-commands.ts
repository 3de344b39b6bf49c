import { readFileSync } from 'node:fs';
import { commandsOf } from '../../tools/docs/commands.ts';

const PAGE = 'docs/runbook.md';

/** Where a command of the runbook is executed: `npm start` plays the front door and what is behind it, MiniStack the account. */
export type Executed = 'npm start' | 'MiniStack';

/** Polymarket, and the address that callers use: what a test of the whole service has. */
const OF_SERVICE = /^curl .*(?:<BaseUrl>|polymarket\.com)/;

/** The commands of the runbook, each once, as they stand there. */
export function runbookCommands(executed: Executed): string[] {
  const all = new Set(commandsOf(PAGE, readFileSync(PAGE, 'utf8')).map(({ text }) => text));
  return [...all].filter((text) => OF_SERVICE.test(text) === (executed === 'npm start'));
}

/** @param values by placeholder @throws Error when one is left that nobody knows */
export function filledIn(command: string, values: Readonly<Record<string, string>>): string {
  const text = Object.entries(values).reduce((line, [name, value]) => line.replaceAll(name, value), command);
  const [unknown] = /<[\w-]+>|…/.exec(text) ?? [];
  if (unknown !== undefined) throw new Error(`Nobody knows what stands for ${unknown} in: ${command}`);
  return text;
}
