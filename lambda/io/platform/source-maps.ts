/** Error stacks that name lines of the sources, while Lambda runs all of them as one bundled file. */
import { readFileSync } from 'node:fs';

// An import of node:module is forbidden here: its `createRequire` could load modules that the check
// of imports (test/tools/layers.test.ts) does not find.
const { SourceMap } = process.getBuiltinModule('node:module');

/**
 * From now on, each error stack names lines of the sources. Node's flag --enable-source-maps would
 * add 10 ms to each cold start; this reads the map when it is first needed.
 *
 * @param bundle path of the running bundle; its map has the same path and `.map`
 */
export function mapStacks(bundle: string): void {
  const positions = new SourcePositions(bundle);
  // V8 calls this function for the `stack` of each error.
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) => `    at ${positions.describe(frame)}`);
    return [String(error), ...lines].join('\n');
  };
}

/** Finds the lines of the sources for lines of a bundle. */
class SourcePositions {
  readonly #bundle: string;
  #map: InstanceType<typeof SourceMap> | undefined;

  constructor(bundle: string) {
    this.#bundle = bundle;
  }

  /** A frame as a line of a stack, or as Node describes it if the map does not have it. */
  describe(frame: NodeJS.CallSite): string {
    try {
      return this.#inSources(frame) ?? String(frame);
    } catch {
      return String(frame);
    }
  }

  /** For example `readMarket (lambda/io/polymarket/gamma-market.ts:66:10)`. */
  #inSources(frame: NodeJS.CallSite): string | undefined {
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
    const isOfBundle = frame.getFileName()?.endsWith(this.#bundle);
    if (line === null || column === null || !isOfBundle) return undefined;
    this.#map ??= new SourceMap(JSON.parse(readFileSync(`${this.#bundle}.map`, 'utf8')));
    const origin = this.#map.findOrigin(line, column);
    if (!('fileName' in origin)) return undefined;
    // Source paths in the map are relative to the bundle's folder.
    const source = origin.fileName.replace(/^(?:\.\.\/)+/, '');
    const name = frame.getFunctionName() ?? '<anonymous>';
    return `${name} (${source}:${origin.lineNumber}:${origin.columnNumber})`;
  }
}
