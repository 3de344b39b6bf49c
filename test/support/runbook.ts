/** A section of docs/runbook.md. */
export interface RunbookSection {
  /** As GitHub makes it of the heading. */
  readonly anchor: string;
  /** The bold openings of its paragraphs. */
  readonly parts: readonly string[];
  readonly queries: readonly string[];
  readonly widgets: readonly string[];
}

/** The sections with a heading of the third level; the text is read as one line, however it is broken. */
export function runbookSections(text: string): RunbookSection[] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...rest] = section.split(/^## /m)[0]?.split('\n') ?? [];
      const body = rest.join('\n').replaceAll(/\s+/g, ' ');
      return {
        anchor: anchorOf(heading),
        parts: all(rest.join('\n'), /^\*\*([^*]+)\*\*/gm),
        queries: all(body, /query `([\w-]+)`/gi),
        widgets: all(body, /widget "([^"]+)"/gi),
      };
    });
}

/** The anchors of all headings below the title. */
export function runbookAnchors(text: string): string[] {
  return all(text, /^#{2,3} (.+)$/gm).map(anchorOf);
}

function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => String(found));
}
