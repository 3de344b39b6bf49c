import { spawnSync } from 'node:child_process';

/** Runs a tool with its output on this terminal; what it found makes this process fail. */
export function runTool(name: string, program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) throw error;
  console.log(`${name}: ${status === 0 ? 'nothing found' : `failed with ${status}`}`);
  if (status !== 0) process.exitCode = 1;
}
