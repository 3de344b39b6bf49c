/** A command that a page tells its reader to run. */
export interface DocumentedCommand {
  readonly page: string;
  /** One line, with the placeholders that the page has. */
  readonly text: string;
}

const PROGRAMS = /^(aws|npm|npx|git|curl|export|gh) /;

/** The commands of a Markdown page: those of its `text` and `sh` blocks, and those in backticks that begin with a program. */
export function commandsOf(page: string, markdown: string): DocumentedCommand[] {
  const blocks = [...markdown.matchAll(/^ *```(?:text|sh)\n([\s\S]*?)^ *```/gm)].flatMap(([, block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, ' ')
      .split('\n')
      .flatMap((line) => line.split('&&')),
  );
  const prose = markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').replaceAll(/\s+/g, ' ');
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...inline]
    .map((line) => line.replace(/ +#.*$/, '').trim())
    .filter((line) => PROGRAMS.test(line))
    .map((text) => ({ page, text }));
}

/** The `-c key=value` of a command. */
export function contextIn(command: string): (readonly [key: string, value: string])[] {
  return [...command.matchAll(/ -c ([^\s=]+)=(\S+)/g)].map(([, key = '', value = '']) => [key, value]);
}
