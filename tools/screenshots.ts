/** `npm run screenshots` takes the pictures of the README (docs/images) from the page with simulated markets. */
import { join } from 'node:path';
import { chromium, run } from './programs.ts';
import { startRunningService } from './running-service.ts';

interface Shot {
  readonly name: string;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture per CSS pixel. @default 1 */
  readonly scale?: number;
  readonly dark?: boolean;
  readonly path: string;
}

const MARKETS = 2_500;
/** Each run reads more histories of the time before the first one, so that the pictures have all changes. */
const RUNS = 12;
const FOLDER = join(import.meta.dirname, '../docs/images');
/** Time that passes in the page before the picture; it stops while the page waits for a response. */
const PAGE_MS = 10_000;

const service = await startRunningService(MARKETS);
try {
  for (let run = 1; run < RUNS; run++) await service.refresh();
  const event = `/?event=${(await biggest('election'))?.eventSlug}`;
  const shots: readonly Shot[] = [
    { name: 'list', width: 1280, height: 760, path: '/' },
    { name: 'event', width: 1280, height: 860, path: event },
    // The picture of shared links.
    { name: 'social', width: 1280, height: 640, path: event },
    { name: 'market', width: 1280, height: 770, path: `/?market=${(await biggest('sports'))?.id}` },
    { name: 'dark', width: 1280, height: 760, dark: true, path: '/?view=movers' },
    { name: 'phone', width: 390, height: 800, scale: 1.5, path: '/' },
  ];
  for (const shot of shots) await take(shot);
} finally {
  await service.stop();
}

/** The market of a category with the highest volume. */
async function biggest(category: string): Promise<{ id: string; eventSlug: string } | undefined> {
  const response = await fetch(`${service.url}/api/markets?category=${category}&limit=1&fields=id,eventSlug`);
  const [market] = (await response.json()) as readonly { id: string; eventSlug: string }[];
  return market;
}

async function take({ name, width, height, scale = 1, dark, path }: Shot): Promise<void> {
  const file = join(FOLDER, `${name}.png`);
  const { status, output } = await run(chromium(), [
    // A container has no user namespaces for the sandbox; the browser opens our own page only.
    ...['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
    ...[`--window-size=${width},${height}`, `--force-device-scale-factor=${scale}`],
    ...(dark ? ['--blink-settings=preferredColorScheme=0'] : []),
    ...[`--virtual-time-budget=${PAGE_MS}`, `--screenshot=${file}`, `${service.url}${path}`],
  ]);
  if (status !== 0) throw new Error(`Chromium ended with ${status}: ${output}`);
  console.log(file);
}
