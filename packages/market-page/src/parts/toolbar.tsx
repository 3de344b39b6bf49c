import { useEffect, useRef } from 'preact/hooks';
import { CATEGORY_NAMES } from '../../../../lambda/core/contract/market-fields.ts';
import { type Shown, VIEWS, type View } from '../state/shown.ts';
import { Link } from './link.tsx';
import { Search } from './search.tsx';

const VIEW_NAMES = Object.keys(VIEWS) as View[];

/** @param props.of what the rows belong to */
export function Toolbar({ of }: { readonly of: Shown }) {
  // An event belongs to the view of events, whichever view led to it.
  const current = of.query || of.sort ? undefined : of.event ? 'events' : of.view;
  const tabs = useRef<HTMLElement>(null);
  // Narrow screens do not show all tabs.
  useEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>('[aria-current]');
    if (tab && tabs.current) tabs.current.scrollLeft = tab.offsetLeft - tabs.current.clientWidth / 2;
  }, [current]);
  return (
    <div class="toolbar">
      <nav class="tabs" aria-label="Views" ref={tabs}>
        {VIEW_NAMES.map((view) => (
          <Link
            key={view}
            class="tab"
            current={current === view}
            to={{ view, query: '', event: undefined, sort: undefined, order: undefined }}
          >
            {VIEWS[view].label}
          </Link>
        ))}
      </nav>
      <Search />
      <nav class="chips" aria-label="Categories">
        {[undefined, ...CATEGORY_NAMES].map((category) => (
          <Link
            key={category ?? ''}
            class="chip"
            current={of.category === category}
            to={{ category, event: undefined }}
          >
            {category ?? 'All'}
          </Link>
        ))}
      </nav>
    </div>
  );
}
