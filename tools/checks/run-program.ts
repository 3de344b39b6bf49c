import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

/**
 * Runs a program with its output in a file, and lets this process go on meanwhile: it has to read what a service that
 * it has started prints.
 *
 * @returns the exit status; null when a signal ended it
 */
export async function runInto(
  file: string,
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<number | null> {
  const output = openSync(file, 'a');
  try {
    const child = spawn(program, args, { ...options, stdio: ['ignore', output, output] });
    const [status] = (await once(child, 'exit')) as [number | null];
    return status;
  } finally {
    closeSync(output);
  }
}
