/** `npm run screenshots`: the README's pictures (docs/images), with simulated markets. */
import { join } from 'node:path';
import { chromium, run } from './programs.ts';
import { startRunningService } from './running-service.ts';

interface Shot {
  readonly name: string;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly path: string;
}

const MARKETS = 2_500;
/** Each run reads older histories, so that all changes are known. */
const RUNS = 12;
const FOLDER = join(import.meta.dirname, '../docs/images');
/** In the page; it stops while the page waits for a response. */
const PAGE_MS = 10_000;

const service = await startRunningService(MARKETS);
try {
  for (let run = 1; run < RUNS; run++) await service.refresh();
  const response = await fetch(`${service.url}/api/markets?category=election&limit=1&fields=eventSlug`);
  const [market] = (await response.json()) as readonly { eventSlug: string }[];
  const event = `/event/${market?.eventSlug}`;
  const shots: readonly Shot[] = [
    { name: 'list', width: 1280, height: 760, path: '/' },
    { name: 'event', width: 1280, height: 860, path: event },
    // For shared links.
    { name: 'social', width: 1280, height: 640, path: event },
  ];
  for (const shot of shots) await take(shot);
} finally {
  await service.stop();
}

async function take({ name, width, height, path }: Shot): Promise<void> {
  const file = join(FOLDER, `${name}.png`);
  const { status, output } = await run(chromium(), [
    // Containers have no user namespaces for the sandbox; the browser opens our own page only.
    ...['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
    ...[`--window-size=${width},${height}`, `--virtual-time-budget=${PAGE_MS}`],
    ...[`--screenshot=${file}`, `${service.url}${path}`],
  ]);
  if (status !== 0) throw new Error(`Chromium ended with ${status}: ${output}`);
  console.log(file);
}
