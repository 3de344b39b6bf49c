import { afterAll, beforeEach, jest } from '@jest/globals';

/** The lines that the process writes from now on, until `jest.restoreAllMocks()`. */
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

/** The lines that the process writes in a test. Call it before the tests of a file. */
export function outputOfTest(): string[] {
  const lines = captureOutput();
  beforeEach(() => void lines.splice(0));
  afterAll(() => void jest.restoreAllMocks());
  return lines;
}
