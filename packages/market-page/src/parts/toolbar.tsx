/** The controls above the list: its tabs, the search field and the filters. */
import { CATEGORY_NAMES } from '../../../../lambda/core/contract/constants.ts';
import { go } from '../state/use-navigation.ts';
import {
  defaultOrderWords,
  FILTER_NAMES,
  FILTERS,
  type FilterName,
  NO_CHOICE,
  NO_FILTERS,
  showsEvents,
  sortOf,
  TABS,
  type Tab,
  type View,
  volumeOf,
} from '../state/view.ts';
import { COLUMNS, firstOrder, sortedColumn } from './columns.ts';
import { Link } from './link.tsx';
import { Search } from './search.tsx';

/** The choice that turns off the volume filter of a tab. */
const ANY = 'any';

export function Toolbar({ view }: { readonly view: View }) {
  const current = currentTab(view);
  return (
    <div class="toolbar">
      <nav class="tabs" aria-label="Views">
        {(Object.keys(TABS) as Tab[]).map((tab) => (
          <Link key={tab} class="tab" current={current === tab} to={{ ...NO_CHOICE, tab }}>
            {TABS[tab].label}
          </Link>
        ))}
      </nav>
      <Search />
      {!view.event && <Filters view={view} />}
    </div>
  );
}

/** The tab that is marked. An event belongs to that of events; a search belongs to none. */
function currentTab({ query, event, tab }: View): Tab | undefined {
  if (query) return undefined;
  return event ? 'events' : tab;
}

/** The filters of the list. */
function Filters({ view }: { readonly view: View }) {
  const isEvents = showsEvents(view);
  return (
    <div class="filters">
      <nav class="chips roomy" aria-label="Categories">
        {[undefined, ...CATEGORY_NAMES].map((category) => (
          <Link
            key={category ?? ''}
            class="chip"
            current={view.category === category}
            to={{ category }}
          >
            {category ?? 'All'}
          </Link>
        ))}
      </nav>
      {/* The same categories for narrow windows, which hide the links. */}
      <Choice
        class="tight"
        label="Category"
        value={view.category}
        choices={CATEGORY_NAMES.map((name) => [name, name])}
        choose={(value) => go({ category: CATEGORY_NAMES.find((name) => name === value) })}
      />
      {FILTER_NAMES.map((name) => (
        <FilterChoice key={name} name={name} view={view} />
      ))}
      {!isEvents && <SortChoice view={view} />}
      {FILTER_NAMES.some((name) => view[name]) && (
        <Link class="chip clear" to={NO_FILTERS}>
          Clear
        </Link>
      )}
    </div>
  );
}

/** The choice of one filter. Events cannot be filtered by probability. */
function FilterChoice({ name, view }: { readonly name: FilterName; readonly view: View }) {
  if (name === 'chance' && showsEvents(view)) return null;
  const { label, choices } = FILTERS[name];
  const texts = Object.entries(choices).map(
    ([value, choice]) => [value, `${label} ${choice.label}`] as const,
  );
  // The tab of movers has a volume filter of its own, so its address must say that it is off.
  const noFilter = name === 'volume' && TABS[view.tab].volume ? ANY : undefined;
  return (
    <Choice
      label={label}
      value={name === 'volume' ? volumeOf(view) : view[name]}
      choices={texts.filter(([value]) => value !== ANY)}
      choose={(value) => go({ [name]: value || noFilter })}
    />
  );
}

/** The choice of the order in narrow lists, which have no column headers. */
function SortChoice({ view }: { readonly view: View }) {
  const choose = (sort: string) =>
    go(sort ? { sort, order: firstOrder(sort) } : { sort: undefined, order: undefined });
  // Without a choice of the reader, the first option is selected.
  const chosen = view.sort && sortedColumn(sortOf(view));
  return (
    <select
      class="chip sort-choice"
      aria-label="Sorted by"
      value={chosen ? chosen.sort : ''}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">Sort: {defaultOrderWords(view)}</option>
      {COLUMNS.map(({ sort, label, change }) => (
        <option key={sort} value={sort}>
          Sort: {change && 'Change over '}
          {label}
        </option>
      ))}
    </select>
  );
}

/** A choice among values. While none is chosen, its text is the label. */
function Choice(props: {
  readonly class?: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly choose: (value: string) => void;
}) {
  const { label, value = '', choices, choose } = props;
  return (
    <select
      class={`chip ${props.class ?? ''} ${value ? 'chosen' : ''}`}
      aria-label={label}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">{label}</option>
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  );
}
