import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

export interface CommandOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** @default none */
  readonly input?: string;
}

/** Longest a process may take to end by itself once it is told to. */
const GRACE_MS = 3_000;

/** Runs programs, each with its children in a process group of its own, and leaves none behind. */
export class Commands {
  readonly #running = new Set<ChildProcess>();

  /** Runs a program to its end. @returns its standard output @throws Error with all it wrote, unless it exits with 0 */
  async run(program: string, args: readonly string[], options: CommandOptions): Promise<string> {
    const child = this.start(program, args, options);
    const output: string[] = [];
    const all: string[] = [];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output.push(text);
      all.push(text);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => all.push(text));
    // A program that ends without reading its input is none to complain about.
    child.stdin?.on('error', () => undefined).end(options.input ?? '');
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code === 0) return output.join('');
    throw new Error(
      `${program} ${args.slice(0, 2).join(' ')} ended with ${code}:\n${lastLines(all.join(''))}`,
    );
  }

  /** Starts a program that goes on until `stop`. */
  start(program: string, args: readonly string[], options: CommandOptions): ChildProcess {
    const child = spawn(program, args, {
      cwd: options.cwd ?? process.cwd(),
      env: { ...options.environment },
      detached: true,
      stdio: 'pipe',
    });
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    return child;
  }

  /** Ends everything that runs, with its children: asked first, then made to. */
  async stop(): Promise<void> {
    const groups = [...this.#running].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
    for (const group of groups) signal(group, 'SIGTERM');
    for (let waited = 0; waited < GRACE_MS && groups.some(isAlive); waited += 50) await wait(50);
    for (const group of groups) signal(group, 'SIGKILL');
  }

  /** At once, for an exit that cannot wait. */
  kill(): void {
    for (const { pid } of this.#running) if (pid !== undefined) signal(pid, 'SIGKILL');
  }
}

function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, name);
  } catch {
    return false; // it has ended already
  }
}

function isAlive(group: number): boolean {
  return signal(group, 0);
}

/** Enough to see why a program failed. */
function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-40).join('\n');
}
