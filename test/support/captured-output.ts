import { afterAll, beforeEach, jest } from '@jest/globals';

/**
 * The lines that the process writes to stdout and stderr from now on, until
 * `jest.restoreAllMocks()`. They do not reach the terminal.
 */
export function captureOutput(): string[] {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      lines.push(...String(text).split('\n').filter(Boolean));
      return true;
    });
  }
  return lines;
}

/** The lines that the process has written in the current test. Call it once in a file. */
export function outputOfTest(): string[] {
  const lines = captureOutput();
  beforeEach(() => void lines.splice(0));
  afterAll(() => void jest.restoreAllMocks());
  return lines;
}
