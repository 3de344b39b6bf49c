import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/**
 * Reads the options of the program from its command line. Prints the usage and ends the program
 * after `--help`, with status 0, or after an argument that is not an option, with status 2.
 *
 * @example readArguments(USAGE, { quick: { type: 'boolean' } }) // { quick?: boolean }
 */
export function readArguments<const O extends ParseArgsOptionsConfig>(usage: string, options: O) {
  try {
    if (!process.argv.includes('--help')) return parseArgs({ options }).values;
  } catch (error) {
    exitWithUsage(usage, (error as Error).message);
  }
  console.log(usage);
  process.exit(0);
}

/** Prints what is wrong with the arguments, and the usage. Ends the program with status 2. */
export function exitWithUsage(usage: string, problem: string): never {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}
