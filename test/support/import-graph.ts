import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

/** The name in `import … from`, `export … from`, `import '…'`, `import('…')`; statements may have several lines. */
const IMPORTS = [
  /^(?:import|export)\b[^;'"]*?\bfrom '([^']+)'/gm,
  /^import '([^']+)'/gm,
  /\bimport\('([^']+)'\)/g,
];
const SOURCE = /\.tsx?$/;
const NOT_SOURCE = /(^|\/)(dist|node_modules)\/|\.d\.ts$/;

/** What each file imports, types included: paths of the project's files, and names of packages. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** @param folders of the project */
export function importGraph(folders: readonly string[]): ImportGraph {
  return new Map(folders.flatMap(sourcesIn).map((file) => [file, importsOf(file)]));
}

/** Paths from the project's root. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => SOURCE.test(path) && !NOT_SOURCE.test(path))
    .toSorted();
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const names = IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return names.map((name) => (name.startsWith('.') ? normalize(join(file, '..', name)) : name));
}

/** Each circle as the files along it. */
export function circlesIn(graph: ImportGraph): string[][] {
  const finished = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file]);
    if (start >= 0 || finished.has(file)) return;
    for (const imported of graph.get(file) ?? []) if (graph.has(imported)) visit(imported, [...path, file]);
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}
