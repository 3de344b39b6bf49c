import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { StartError } from '../start-error.ts';
import { type Assembly, readAssembly } from './assembly.ts';
import { isObject, type Json, objectAt, stringAt } from './json.ts';
import { explainFailure } from './synthesis-failure.ts';

export interface SynthesizeOptions {
  /** Folder of cdk.json. */
  readonly projectFolder: string;
  /** Aborting stops the app and removes what it has written. */
  readonly signal?: AbortSignal;
}

/** A cloud assembly in a folder of its own, which `dispose` removes. */
export interface SynthesizedAssembly extends Assembly {
  readonly directory: string;
  dispose(): Promise<void>;
}

/**
 * Runs the app of cdk.json as the CDK CLI does and reads what it synthesised.
 * @param context added to the context of cdk.json
 * @throws {StartError} when the app fails, with what it wrote as the detail
 */
export async function synthesize(
  context: Readonly<Record<string, Json>>,
  options: SynthesizeOptions,
): Promise<SynthesizedAssembly> {
  const { projectFolder } = options;
  const settings: Json = JSON.parse(readFileSync(join(projectFolder, 'cdk.json'), 'utf8'));
  const { app, context: ownContext } = objectAt(settings, 'cdk.json');
  const directory = await mkdtemp(join(tmpdir(), 'cdk-local-'));
  const dispose = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    await runApp(stringAt(app, 'app of cdk.json'), projectFolder, options.signal, {
      CDK_OUTDIR: directory,
      CDK_CONTEXT_JSON: JSON.stringify({ ...(isObject(ownContext) ? ownContext : {}), ...context }),
    });
    return { ...readAssembly(directory), directory, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function runApp(
  command: string,
  cwd: string,
  signal: AbortSignal | undefined,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // The app runs on the Node.js that runs this program; a group of its own lets an abort stop its bundlers too.
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
  const child = spawn(command, {
    cwd,
    shell: true,
    detached: true,
    env: { ...process.env, PATH: path, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => written.push(text));
  }
  const abort = (): void => killGroup(child);
  signal?.addEventListener('abort', abort, { once: true });
  child.once('error', reject);
  child.once('close', (code, exitSignal) => {
    signal?.removeEventListener('abort', abort);
    if (signal?.aborted) reject(signal.reason);
    else if (code === 0) resolve();
    else reject(new StartError(...explainFailure(written.join(''), code ?? exitSignal ?? 'unknown')));
  });
  return promise;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended by itself a moment ago.
  }
}
