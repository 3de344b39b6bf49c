import { readFileSync } from 'node:fs';

// No file of this layer imports node:module, because its createRequire avoids the rules of the layers.
const { SourceMap } = process.getBuiltinModule('node:module');

/**
 * Makes the stacks of errors name lines of the sources. The flag --enable-source-maps does the same, but each cold start
 * then takes 10 ms longer; this reads the map when a stack is read for the first time.
 *
 * @param bundle path of the running bundle, which has its map beside it
 */
export function mapStacks(bundle: string): void {
  let map: InstanceType<typeof SourceMap> | undefined;
  const describe = (frame: NodeJS.CallSite): string => {
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
    if (line === null || column === null || !frame.getFileName()?.endsWith(bundle)) return String(frame);
    map ??= new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
    const origin = map.findOrigin(line, column);
    if (!('fileName' in origin)) return String(frame);
    // The map names the sources relative to the folder of the bundle.
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
