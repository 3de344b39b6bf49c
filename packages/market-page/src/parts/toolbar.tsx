import { useEffect, useRef } from 'preact/hooks';
import { CATEGORIES, VIEWS, type View } from '../state/shown.ts';
import type { Navigation } from '../state/use-navigation.ts';
import { Link } from './link.tsx';
import { Search } from './search.tsx';

const VIEW_NAMES = Object.keys(VIEWS) as View[];

/** Views, search and categories. */
export function Toolbar({ navigation }: { readonly navigation: Navigation }) {
  const { shown } = navigation;
  const tabs = useRef<HTMLElement>(null);
  // Narrow screens do not show all tabs: scroll to the current one.
  useEffect(() => {
    const current = tabs.current?.querySelector<HTMLElement>('[aria-current]');
    if (current && tabs.current) tabs.current.scrollLeft = current.offsetLeft - tabs.current.clientWidth / 2;
  }, [shown.view]);
  const isFiltered = shown.query !== '' || shown.event !== undefined;
  return (
    <div class="toolbar">
      <nav class="tabs" aria-label="Views" ref={tabs}>
        {VIEW_NAMES.map((view) => (
          <Link
            key={view}
            class="tab"
            navigation={navigation}
            current={shown.view === view && !isFiltered}
            to={{ view, query: '', event: undefined, sort: undefined, order: undefined }}
          >
            {VIEWS[view].label}
          </Link>
        ))}
      </nav>
      <Search navigation={navigation} />
      <nav class="chips" aria-label="Categories">
        {[undefined, ...CATEGORIES].map((category) => (
          <Link
            key={category ?? ''}
            class="chip"
            navigation={navigation}
            current={shown.category === category}
            to={{ category, event: undefined }}
          >
            {category ?? 'All'}
          </Link>
        ))}
      </nav>
    </div>
  );
}
