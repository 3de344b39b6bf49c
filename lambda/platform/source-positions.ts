import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A place in a module as stacks name it: `file:///var/task/index.mjs:1:2345`. */
const PLACE = /(file:\/\/[^\s()]+):(\d+):(\d+)/g;

/** What a source's name begins with, since the bundle was made outside of the project's folder. */
const OUTSIDE = /^.*\/(?=(?:lambda|node_modules)\/)/;

const maps = new Map<string, SourceMap | undefined>();

/**
 * A stack with the places of the source in place of those of the bundle, where there is a map beside it. Node's own
 * `--enable-source-maps` does the same, and reads the map and every line of the bundle in each cold start (7 ms of CPU),
 * whether there is an error or not.
 */
export function sourceStack(stack: string): string {
  return stack.replace(PLACE, (place, file: string, line: string, column: string) => {
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return place;
    const source = entry.originalSource.replace(OUTSIDE, '');
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    const payload = JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')) as SourceMapPayload;
    return new SourceMap(payload);
  } catch {
    return undefined; // none, or none that can be read: the place in the bundle has to do
  }
}
