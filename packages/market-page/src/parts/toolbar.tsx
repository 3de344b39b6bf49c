import { CATEGORY_NAMES } from '../../../../lambda/core/contract/constants.ts';
import { go } from '../state/use-navigation.ts';
import {
  FILTER_NAMES,
  FILTERS,
  NO_CHOICE,
  NO_FILTERS,
  showsEvents,
  TABS,
  type Tab,
  type View,
  volumeOf,
} from '../state/view.ts';
import { Link } from './link.tsx';
import { SortChoice } from './market-table.tsx';
import { Search } from './search.tsx';

/** The choice that turns off the usual filter of a tab. */
const ANY = 'any';

/** The controls above the list. */
export function Toolbar({ view }: { readonly view: View }) {
  // An event belongs to the tab of events, whichever tab led to it.
  const current = view.query ? undefined : view.event ? 'events' : view.tab;
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
      <Choice
        class="tight"
        label="Category"
        value={view.category}
        choices={CATEGORY_NAMES.map((name) => [name, name])}
        choose={(value) => go({ category: CATEGORY_NAMES.find((name) => name === value) })}
      />
      {FILTER_NAMES.filter((name) => !isEvents || name !== 'chance').map((name) => {
        const { label, choices } = FILTERS[name];
        // Movers have a filter of their own, which the reader can remove.
        const none = name === 'volume' && TABS[view.tab].volume ? ANY : undefined;
        return (
          <Choice
            key={name}
            label={label}
            value={name === 'volume' ? volumeOf(view) : view[name]}
            choices={Object.entries(choices)
              .filter(([value]) => value !== ANY)
              .map(([value, choice]) => [value, `${label} ${choice.label}`])}
            choose={(value) => go({ [name]: value || none })}
          />
        );
      })}
      {!isEvents && <SortChoice view={view} />}
      {FILTER_NAMES.some((name) => view[name]) && (
        <Link class="chip clear" to={NO_FILTERS}>
          Clear
        </Link>
      )}
    </div>
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
