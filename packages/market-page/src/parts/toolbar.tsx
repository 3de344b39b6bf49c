import { useEffect, useRef } from 'preact/hooks';
import { CATEGORY_NAMES } from '../../../../lambda/core/contract/market-fields.ts';
import { FILTER_NAMES, FILTERS, type Shown, showsEvents, VIEWS, type View, WHOLE_LIST } from '../state/shown.ts';
import { useNavigation } from '../state/use-navigation.ts';
import { Link } from './link.tsx';
import { SortChoice } from './market-table.tsx';
import { Search } from './search.tsx';

const VIEW_NAMES = Object.keys(VIEWS) as View[];

/** Views, search and filters. @param props.of what the rows belong to */
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
      {!of.event && <Filters of={of} />}
    </div>
  );
}

/** Categories and the filters of the API, in one row. */
function Filters({ of }: { readonly of: Shown }) {
  const { go } = useNavigation();
  const isEvents = showsEvents(of);
  const chooseCategory = (value: string) => go({ category: CATEGORY_NAMES.find((name) => name === value) });
  return (
    <div class="filters">
      <nav class="chips roomy" aria-label="Categories">
        {[undefined, ...CATEGORY_NAMES].map((category) => (
          <Link key={category ?? ''} class="chip" current={of.category === category} to={{ category }}>
            {category ?? 'All'}
          </Link>
        ))}
      </nav>
      <select
        class={`chip tight ${of.category ? 'chosen' : ''}`}
        aria-label="Category"
        value={of.category ?? ''}
        onChange={(event) => chooseCategory(event.currentTarget.value)}
      >
        <option value="">Category</option>
        {CATEGORY_NAMES.map((category) => (
          <option key={category} value={category}>
            {category}
          </option>
        ))}
      </select>
      {FILTER_NAMES.filter((name) => !isEvents || name !== 'chance').map((name) => (
        <select
          key={name}
          class={`chip ${of[name] ? 'chosen' : ''}`}
          aria-label={FILTERS[name].label}
          value={of[name] ?? ''}
          onChange={(event) => go({ [name]: event.currentTarget.value || undefined })}
        >
          <option value="">{FILTERS[name].label}</option>
          {Object.entries(FILTERS[name].choices).map(([value, { label }]) => (
            <option key={value} value={value}>
              {FILTERS[name].label} {label}
            </option>
          ))}
        </select>
      ))}
      {!isEvents && <SortChoice of={of} />}
      {FILTER_NAMES.some((name) => of[name]) && (
        <Link class="chip clear" to={{ ...WHOLE_LIST, query: of.query, category: of.category }}>
          Clear
        </Link>
      )}
    </div>
  );
}
