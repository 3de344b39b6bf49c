/** Longer lines are source text of a minified library in a stack trace. */
const LONGEST_LINE = 400;
const MOST_LINES = 40;

/**
 * What to tell about a CDK app that failed: a sentence with the app's own error, and what else it wrote.
 * @param status exit status, or the signal that ended it
 */
export function explainFailure(output: string, status: number | string): [string, { detail: string }] {
  const message = /^(?:Uncaught )?\w*Error: (.+)$/m.exec(output)?.[1]?.trim();
  const sentence =
    message === undefined
      ? `The CDK app failed with status ${status}.`
      : `The CDK app failed: ${message.replace(/[.\s]*$/, '')}.`;
  const lines = withoutCodeFrames(output).filter(
    (line) => isTelling(line) && !(message && line.includes(message)),
  );
  return [sentence, { detail: lines.slice(-MOST_LINES).join('\n') }];
}

/** Node.js shows where an error was thrown: a line `<file>:<line>`, the source, and a caret under it. */
function withoutCodeFrames(output: string): string[] {
  let inFrame = false;
  return output.split('\n').filter((line) => {
    const begins = /^(file:\/\/)?\/\S+:\d+$/.test(line.trim());
    const ends = inFrame && /^\s*\^+\s*$/.test(line);
    const shown = !inFrame && !begins;
    inFrame = begins || (inFrame && !ends);
    return shown;
  });
}

function isTelling(line: string): boolean {
  const trimmed = line.trim();
  return !(
    trimmed === '' ||
    line.length > LONGEST_LINE ||
    /^at |^Node\.js v|^\(no user code|^\.\.\./.test(trimmed)
  );
}
