import { useEffect, useRef } from 'preact/hooks';
import { CATEGORIES, type Navigation, VIEWS, type View } from '../state/location.ts';
import { Link } from './link.tsx';
import { Search } from './search.tsx';

const VIEW_NAMES = Object.keys(VIEWS) as View[];

/** Where one goes: views, search, categories. */
export function Toolbar({ navigation }: { readonly navigation: Navigation }) {
  const { shown } = navigation;
  const tabs = useRef<HTMLElement>(null);
  // Where they do not all fit, the one that is shown does.
  useEffect(() => {
    const current = tabs.current?.querySelector<HTMLElement>('[aria-current]');
    if (current && tabs.current) tabs.current.scrollLeft = current.offsetLeft - tabs.current.clientWidth / 2;
  }, [shown.view]);
  const elsewhere = shown.query !== '' || shown.event !== undefined;
  return (
    <div class="toolbar">
      <nav class="tabs" aria-label="Views" ref={tabs}>
        {VIEW_NAMES.map((view) => (
          <Link
            key={view}
            class="tab"
            navigation={navigation}
            current={shown.view === view && !elsewhere}
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
