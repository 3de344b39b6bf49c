import { describe, expect, it } from '@jest/globals';
import { pageTests, ROWS, showBook } from './support.ts';

/** Enough markets for every view: events with several outcomes, and long names. */
const MARKETS = 300;
const { open, read } = pageTests(MARKETS);

/** Phones, a tablet, a laptop and a wide screen; 320 is also 1280 at a zoom of 400 %. */
const WIDTHS = [320, 344, 360, 375, 390, 768, 1280, 1920];
/** The fonts of Linux and of Android, and one with the widths of Arial. */
const FONTS = ['DejaVu Sans', 'Roboto', 'Liberation Sans'];

const VIEWS: Readonly<Record<string, { readonly path: string; readonly ready: string }>> = {
  today: { path: '/', ready: '.today .spark' },
  movers: { path: '/?view=movers&sort=move7d', ready: `${ROWS} .spark` },
  closing: { path: '/?view=closing', ready: ROWS },
  events: { path: '/?view=events', ready: '.favourite' },
  search: { path: '/?q=election', ready: '.found .favourite' },
  event: { path: '/event/{event}', ready: '.event .end-label' },
  market: { path: '/market/{market}', ready: '.siblings .link' },
  reference: { path: '/docs', ready: 'h2' },
};

interface Findings {
  readonly overlapping: string[];
  readonly cut: string[];
}

describe.each(Object.keys(VIEWS))('the view %s', (view) => {
  it('has no two texts on each other, and cuts none without a sign', async () => {
    const [{ slug, eventSlug }] = await read('/api/markets?limit=1&fields=all&category=election');
    const { path = '/', ready = 'body' } = VIEWS[view] ?? {};
    const { page } = await open(path.replace('{event}', eventSlug).replace('{market}', slug), {
      width: 1280,
    });
    await page.waitForSelector(ready, { state: 'attached' });
    if (view === 'market') {
      await showBook(page);
      // The button that closes a market floats over what is scrolled.
      await page.locator('.detail').evaluate((panel) => panel.scrollTo(0, 0));
    }
    const found: Record<string, Findings> = {};
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const font of FONTS) {
        const { overlapping, cut } = await page.evaluate(findings, font);
        if (overlapping.length + cut.length > 0) {
          found[`${font}, ${width} pixels`] = { overlapping, cut };
        }
      }
    }
    expect(found).toEqual({});
  });
});

/** Runs in the page. A text is the part of a text node in one line. */
async function findings(font: string): Promise<Findings> {
  document.body.style.fontFamily = font;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let n = 0; n < 3; n++) await frame();
  /** Pixels of a line's own white space. */
  const tolerance = 2;

  interface Text {
    readonly node: Node;
    readonly words: string;
    left: number;
    top: number;
    right: number;
    bottom: number;
  }

  /** Whether people see at a box that its text goes on. */
  const hasSign = (box: Element, isSideways: boolean) => {
    const { webkitLineClamp, textOverflow, overflowX } = getComputedStyle(box);
    const hasDots = webkitLineClamp !== 'none' || (isSideways && textOverflow === 'ellipsis');
    // Rows that scroll end with a fade or with the edge of the next card.
    const scrollsSideways = isSideways && ['auto', 'scroll'].includes(overflowX);
    // People expect code and lists of links to scroll.
    return hasDots || scrollsSideways || box.matches('pre, nav');
  };

  const cut: string[] = [];
  /**
   * Reduces a text to its visible part, and adds it to `cut` if a box cuts it without a sign.
   *
   * @returns undefined if nothing is visible
   */
  const clipped = (text: Text): Text | undefined => {
    for (let box = text.node.parentElement; box; box = box.parentElement) {
      const { overflowX, overflowY, clipPath } = getComputedStyle(box);
      // The page and the open market scroll as a whole, which cuts no text.
      if (box.matches('.detail, body, html')) break;
      if (clipPath !== 'none') return undefined;
      const area = box.getBoundingClientRect();
      if (overflowX !== 'visible') {
        const isCut = text.right > area.right + tolerance || text.left < area.left - tolerance;
        if (isCut && !hasSign(box, true)) cut.push(`sideways: ${text.words}`);
        text.left = Math.max(text.left, area.left);
        text.right = Math.min(text.right, area.right);
      }
      if (overflowY !== 'visible') {
        const isPart = text.top < area.bottom - tolerance && text.bottom > area.top + tolerance;
        const isCut = text.bottom > area.bottom + tolerance || text.top < area.top - tolerance;
        if (isPart && isCut && !hasSign(box, false)) cut.push(`in height: ${text.words}`);
        text.top = Math.max(text.top, area.top);
        text.bottom = Math.min(text.bottom, area.bottom);
      }
      if (text.right - text.left < tolerance || text.bottom - text.top < tolerance) {
        return undefined;
      }
    }
    return text;
  };

  const canvas = document.createElement('canvas').getContext('2d');
  /** The width of what the style sheet adds before or after a text. */
  const addedWidth = (element: Element, part: '::before' | '::after'): number => {
    const style = getComputedStyle(element, part);
    const added = [...style.content.matchAll(/"([^"]*)"/g)].map(([, words]) => words).join('');
    if (!canvas || style.position === 'absolute') return 0;
    canvas.font = style.font;
    return canvas.measureText(added).width;
  };

  const texts: Text[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const words = node.textContent?.trim().slice(0, 60) ?? '';
    if (!parent?.checkVisibility({ visibilityProperty: true }) || words === '') continue;
    if (parent.closest('[inert], option, script')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()];
    for (const [n, { left, top, right, bottom }] of rects.entries()) {
      const text = clipped({
        node,
        words,
        left: n === 0 && !node.previousSibling ? left - addedWidth(parent, '::before') : left,
        top,
        right:
          n === rects.length - 1 && !node.nextSibling
            ? right + addedWidth(parent, '::after')
            : right,
        bottom,
      });
      if (text) texts.push(text);
    }
  }

  /** Two pixels more in height: the boxes of lines may touch where their letters do not. */
  const overlap = (a: Text, b: Text) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > tolerance &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > tolerance + 2;
  const overlapping: string[] = [];
  texts.sort((a, b) => a.top - b.top);
  for (const [n, a] of texts.entries()) {
    for (const b of texts.slice(n + 1)) {
      if (b.top > a.bottom) break;
      if (a.node !== b.node && overlap(a, b)) overlapping.push(`${a.words} ⨯ ${b.words}`);
    }
  }
  return { overlapping: overlapping.slice(0, 3), cut: [...new Set(cut)].slice(0, 3) };
}
