/** `npm run screenshots`: the pictures of the project. See USAGE. */
import { join } from 'node:path';
import { readArguments } from './arguments.ts';
import { chromium, run } from './programs.ts';
import { startRunningService } from './running-service.ts';

/** A picture to take: the file, its size, and the page that it shows. */
interface Shot {
  readonly file: string;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly url: string;
}

const MARKETS = 2_500;
/** Each run reads older histories, so that all changes are known. */
const RUNS = 12;
const IMAGES = join(import.meta.dirname, '../docs/images');
const PAGE = join(import.meta.dirname, '../packages/market-page/src');
/** The time that a page gets to render. Its clock stops while the page waits for a response. */
const PAGE_MS = 10_000;

const USAGE = `Usage: npm run screenshots

Takes the README's picture (docs/images) of simulated markets, and the picture of shared links, in Chromium.`;

readArguments(USAGE, {});
const service = await startRunningService(MARKETS);
try {
  for (let runs = 1; runs < RUNS; runs++) await service.refresh();
  const shots: readonly Shot[] = [
    { file: join(IMAGES, 'list.png'), width: 1280, height: 760, url: service.url },
    // All shared links have this picture, so it shows no number.
    { file: join(PAGE, 'social.png'), width: 1280, height: 640, url: `file://${PAGE}/social.svg` },
  ];
  for (const shot of shots) await take(shot);
} finally {
  await service.stop();
}

/** Takes one picture with Chromium. */
async function take({ file, width, height, url }: Shot): Promise<void> {
  const { status, output } = await run(chromium(), [
    // Containers have no user namespaces for the sandbox; the browser opens our own page only.
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    `--window-size=${width},${height}`,
    `--virtual-time-budget=${PAGE_MS}`,
    `--screenshot=${file}`,
    url,
  ]);
  if (status !== 0) throw new Error(`Chromium ended with ${status}: ${output}`);
  console.log(file);
}
