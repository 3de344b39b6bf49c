import { expect, it } from '@jest/globals';
import { pageTests, ROWS, showBook } from './support.ts';
import { type Findings, textFindings } from './text-findings.ts';

// Opens each view of the page in Chromium and measures its texts, in every width and font below.

// Enough markets for every view: events with several outcomes, and long names.
const { open, read } = pageTests({ markets: 300 });

/** Phones, a tablet, a laptop and a wide screen; 320 is also 1280 at a zoom of 400 %. */
const WIDTHS = [320, 344, 360, 375, 390, 768, 1280, 1920];
/** The fonts of Linux and of Android, and one with the widths of Arial. */
const FONTS = ['DejaVu Sans', 'Roboto', 'Liberation Sans'];

/** Each view with what it shows last. */
const VIEWS = [
  { view: 'today', path: '/', ready: '.today .spark' },
  { view: 'movers', path: '/?view=movers&sort=move7d', ready: `${ROWS} .spark` },
  { view: 'closing', path: '/?view=closing', ready: ROWS },
  { view: 'events', path: '/?view=events', ready: '.favourite' },
  { view: 'search', path: '/?q=election', ready: '.found .favourite' },
  { view: 'event', path: '/event/{event}', ready: '.event .end-label' },
  { view: 'market', path: '/market/{market}', ready: '.siblings .link' },
  { view: 'reference', path: '/docs', ready: 'h2' },
];

it.each(VIEWS)(
  'the view $view has no two texts on each other, and cuts none without a sign',
  async ({ view, path, ready }) => {
    const [{ slug, eventSlug }] = await read('/api/markets?limit=1&fields=all&category=election');
    const address = path.replace('{event}', eventSlug).replace('{market}', slug);
    const { page } = await open(address, { width: 1280 });
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
        const { overlapping, cut } = await textFindings(page, font);
        if (overlapping.length + cut.length > 0)
          found[`${font}, ${width} pixels`] = { overlapping, cut };
      }
    }
    expect(found).toEqual({});
  },
);
