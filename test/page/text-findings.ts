import type { Page } from 'playwright-core';

/** Texts of a page that people cannot read. */
export interface Findings {
  /** Pairs of texts on each other: `Volume ⨯ $1.2M`. */
  readonly overlapping: readonly string[];
  /** Texts that their box cuts without an ellipsis or another sign: `sideways: Fed decision`. */
  readonly cut: readonly string[];
}

/** Finds unreadable texts of the open page with another font. */
export async function textFindings(page: Page, font: string): Promise<Findings> {
  const functions = [visibleTexts, linesOf, visiblePart, hasSign, addedWidth, overlap, exceeds];
  // A page cannot import, so this declares the functions there by their source. It begins with a
  // semicolon, because Playwright would call a text that begins with `function`.
  await page.evaluate(`;${functions.map(String).join('\n')}`);
  return await page.evaluate(findings, font);
}

// All functions below run in the page, where they find only each other.

/** A part of a text node in one line, and its place in pixels. */
interface Line {
  readonly node: Node;
  readonly words: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

async function findings(font: string): Promise<Findings> {
  document.body.style.fontFamily = font;
  for (let n = 0; n < 3; n++) await new Promise((done) => requestAnimationFrame(done));
  const cut = new Set<string>();
  const texts = visibleTexts(cut);
  const overlapping: string[] = [];
  texts.sort((a, b) => a.top - b.top);
  for (const [n, a] of texts.entries()) {
    for (const b of texts.slice(n + 1)) {
      if (b.top > a.bottom) break;
      if (a.node !== b.node && overlap(a, b)) overlapping.push(`${a.words} ⨯ ${b.words}`);
    }
  }
  return { overlapping: overlapping.slice(0, 3), cut: [...cut].slice(0, 3) };
}

/** The visible lines of all texts. Adds those that a box cuts without a sign to `cut`. */
function visibleTexts(cut: Set<string>): Line[] {
  const texts: Line[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent?.checkVisibility({ visibilityProperty: true })) continue;
    if (node.textContent?.trim() === '' || parent.closest('[inert], option, script')) continue;
    for (const line of linesOf(node, parent)) if (visiblePart(line, cut)) texts.push(line);
  }
  return texts;
}

function linesOf(node: Node, parent: Element): Line[] {
  const words = node.textContent?.trim().slice(0, 60) ?? '';
  const range = document.createRange();
  range.selectNodeContents(node);
  const lines = Array.from(range.getClientRects(), ({ left, top, right, bottom }) => {
    return { node, words, left, top, right, bottom };
  });
  const [first] = lines;
  const last = lines.at(-1);
  if (first && !node.previousSibling) first.left -= addedWidth(parent, '::before');
  if (last && !node.nextSibling) last.right += addedWidth(parent, '::after');
  return lines;
}

/** The width of what the style sheet adds before or after a text. */
function addedWidth(element: Element, part: '::before' | '::after'): number {
  const style = getComputedStyle(element, part);
  const canvas = document.createElement('canvas').getContext('2d');
  if (!canvas || style.position === 'absolute') return 0;
  const added = [...style.content.matchAll(/"([^"]*)"/g)].map(([, words]) => words).join('');
  canvas.font = style.font;
  return canvas.measureText(added).width;
}

/**
 * Reduces a line to its visible part.
 *
 * @returns whether anything is visible
 */
function visiblePart(line: Line, cut: Set<string>): boolean {
  for (let box = line.node.parentElement; box; box = box.parentElement) {
    const { overflowX, overflowY, clipPath } = getComputedStyle(box);
    // The page and the open market scroll as a whole, which cuts no text.
    if (box.matches('.detail, body, html')) break;
    if (clipPath !== 'none') return false;
    const area = box.getBoundingClientRect();
    if (overflowX !== 'visible') {
      const isCut = exceeds(line.right, area.right) || exceeds(area.left, line.left);
      if (isCut && !hasSign(box, 'sideways')) cut.add(`sideways: ${line.words}`);
      line.left = Math.max(line.left, area.left);
      line.right = Math.min(line.right, area.right);
    }
    if (overflowY !== 'visible') {
      const isPart = exceeds(area.bottom, line.top) && exceeds(line.bottom, area.top);
      const isCut = exceeds(line.bottom, area.bottom) || exceeds(area.top, line.top);
      if (isPart && isCut && !hasSign(box, 'in height')) cut.add(`in height: ${line.words}`);
      line.top = Math.max(line.top, area.top);
      line.bottom = Math.min(line.bottom, area.bottom);
    }
    if (!exceeds(line.right, line.left) || !exceeds(line.bottom, line.top)) return false;
  }
  return true;
}

/** Whether people see at a box that its text goes on. */
function hasSign(box: Element, direction: 'sideways' | 'in height'): boolean {
  const { webkitLineClamp, textOverflow, overflowX } = getComputedStyle(box);
  // People expect code and lists of links to scroll.
  if (webkitLineClamp !== 'none' || box.matches('pre, nav')) return true;
  // Rows that scroll end with a fade or with the edge of the next card.
  const scrolls = overflowX === 'auto' || overflowX === 'scroll';
  return direction === 'sideways' && (textOverflow === 'ellipsis' || scrolls);
}

/** Two pixels more in height: the boxes of lines may touch where their letters do not. */
function overlap(a: Line, b: Line): boolean {
  const isBeside = !exceeds(Math.min(a.right, b.right), Math.max(a.left, b.left));
  return !isBeside && exceeds(Math.min(a.bottom, b.bottom), Math.max(a.top, b.top) + 2);
}

/** Whether a place is beyond an edge by more than two pixels, the white space of a line. */
function exceeds(place: number, edge: number): boolean {
  return place > edge + 2;
}
