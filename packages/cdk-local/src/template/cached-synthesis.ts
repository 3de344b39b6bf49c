import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Assembly, readAssembly } from './assembly.ts';
import type { Json } from './json.ts';
import { synthesize } from './synthesize.ts';

export interface CachedSynthesisOptions {
  /** Folder of cdk.json. */
  readonly projectFolder: string;
  /** Files and folders in it that decide what is synthesised. Those that do not exist are left out. */
  readonly inputs: readonly string[];
  /** Where assemblies are kept. */
  readonly cacheFolder: string;
  /** Aborting stops the app and removes what it has written. */
  readonly signal?: AbortSignal;
}

/** Assemblies that nobody has asked for in so long are removed. */
const KEPT_MS = 86_400_000;

/**
 * As `synthesize`, but runs the app only if nothing that it is made of has changed since the last time with the same
 * context. Several processes may ask at once: each gets a complete assembly.
 * @throws {StartError} when the app fails
 */
export async function synthesizeCached(
  context: Readonly<Record<string, Json>>,
  options: CachedSynthesisOptions,
): Promise<Assembly> {
  const { projectFolder, cacheFolder, signal } = options;
  const directory = join(cacheFolder, keyOf(context, options));
  if (!existsSync(directory)) {
    await mkdir(cacheFolder, { recursive: true });
    await removeUnused(cacheFolder);
    const assembly = await synthesize(context, { projectFolder, ...(signal && { signal }) });
    await moveInto(assembly.directory, directory);
    await assembly.dispose();
  }
  const now = new Date();
  await utimes(directory, now, now);
  return readAssembly(directory);
}

/** In one step, so that nobody sees half an assembly; another process may have been faster, with the same result. */
async function moveInto(from: string, directory: string): Promise<void> {
  const draft = `${directory}.${randomUUID()}`;
  await cp(from, draft, { recursive: true });
  try {
    await rename(draft, directory);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
}

async function removeUnused(cacheFolder: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const folder = join(cacheFolder, name);
    // Another process may have removed it a moment ago.
    const used = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - used > KEPT_MS) await rm(folder, { recursive: true, force: true });
  }
}

/** Of all that decides what the app writes: its files, the context, the region of the CLI, the version of Node.js. */
function keyOf(
  context: Readonly<Record<string, Json>>,
  { projectFolder, inputs }: CachedSynthesisOptions,
): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([context, process.env.CDK_DEFAULT_REGION ?? null, process.version]));
  for (const file of inputs.flatMap((input) => filesIn(projectFolder, input))) {
    const content = readFileSync(join(projectFolder, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** In the same order everywhere. */
function filesIn(projectFolder: string, input: string): string[] {
  const path = join(projectFolder, input);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [input];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(projectFolder.length))
    .toSorted();
}
