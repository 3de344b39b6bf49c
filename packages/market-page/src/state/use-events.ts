import type { Event, Result } from 'market-data-proxy-client';
import { client } from './api.ts';
import type { Shown } from './location.ts';
import { type Paged, usePages } from './use-pages.ts';

const PAGE = 48;

/** Events with open markets, by volume; nothing is read while markets are shown. */
export function useEvents({ category }: Shown, enabled: boolean): Paged<Event> {
  return usePages<Event>({
    key: enabled ? `events ${category ?? ''}` : undefined,
    read: (signal) => eventPages(category, signal),
    idOf: ({ slug }) => slug,
  });
}

/** All pages of one snapshot. */
async function* eventPages(
  category: Shown['category'],
  signal: AbortSignal,
): AsyncGenerator<Result<readonly Event[]>> {
  let snapshot: string | undefined;
  for (let offset = 0; ; offset += PAGE) {
    const query = {
      limit: PAGE,
      offset,
      ...(category ? { category } : {}),
      ...(snapshot ? { snapshot } : {}),
    };
    const page = await client.events(query, { signal });
    snapshot = page.snapshot;
    yield page;
    if (!page.links.next) return;
  }
}
