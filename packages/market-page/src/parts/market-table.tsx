import type { Point } from '../charts/price-chart.ts';
import { dateTime, direction, ends, points, usd } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { Row } from '../state/list.ts';
import { type Shown, sortOf, VIEWS } from '../state/shown.ts';
import type { List } from '../state/use-list.ts';
import type { Navigation } from '../state/use-navigation.ts';
import { Bar, Marked } from './bar.tsx';
import { Link } from './link.tsx';
import { More } from './more.tsx';
import { SortChoice } from './sort-choice.tsx';
import { Spark, useSparks } from './spark.tsx';

/**
 * Columns with the sort key and direction of a click on the header; a second click reverses the direction. `name` is the
 * CSS class, which sets the width and hides the column in narrow lists (`list.css`).
 */
const COLUMNS = [
  { name: 'probability', label: 'Probability', sort: 'probability', first: 'desc' },
  { name: 'change', label: '1 day', about: 'Change over ', sort: 'change1d', first: 'desc' },
  { name: 'change late', label: '7 days', about: 'Change over ', sort: 'change7d', first: 'desc' },
  { name: 'change last', label: '30 days', about: 'Change over ', sort: 'change30d', first: 'desc' },
  { name: 'number day', label: 'Volume 24 h', sort: 'volume24h', first: 'desc' },
  { name: 'number late', label: 'Volume', sort: 'volume', first: 'desc' },
  { name: 'number last', label: 'Liquidity', sort: 'liquidity', first: 'desc' },
  { name: 'date', label: 'Ends', sort: 'endDate', first: 'asc' },
] as const;
type Column = (typeof COLUMNS)[number];

/** @param props.of what the rows belong to */
export function MarketTable(props: { readonly of: Shown; readonly list: List; readonly navigation: Navigation }) {
  const { of, list, navigation } = props;
  const { page, state, more } = list;
  const now = useNow(60_000);
  const by = sortOf(of);
  const directionOf = (column: Column) => {
    const other = column.first === 'asc' ? 'desc' : 'asc';
    return by === column.sort && (of.order ?? column.first) === column.first ? other : column.first;
  };
  // “Movers” sorts by the size of a change, up or down.
  const sortingOf = (column: Column) => {
    if (by === column.sort.replace('change', 'move')) return by === column.sort ? sorted(directionOf(column)) : 'other';
    return undefined;
  };
  const sparkOf = useSparks(page?.markets.map(({ clobTokenId }) => clobTokenId) ?? []);
  const sort = (column: Column) => navigation.go({ sort: column.sort, order: directionOf(column) });
  if (page?.markets.length === 0) return <Nothing of={of} navigation={navigation} />;
  if (!page && state === 'failed') return null;
  return (
    <>
      <SortChoice
        columns={COLUMNS}
        by={by}
        usual={of.event ? 'most probable first' : of.query ? 'best match first' : VIEWS[of.view].about}
        navigation={navigation}
      />
      <table class="markets" aria-busy={state === 'loading'}>
        <thead>
          <tr>
            <th scope="col" class="question">
              {of.event ? 'Outcome' : 'Market'}
            </th>
            <th scope="col" class="line late">
              Last 7 days
            </th>
            {COLUMNS.map((column) => (
              <th key={column.sort} scope="col" class={column.name} aria-sort={sortingOf(column)}>
                <button type="button" onClick={() => sort(column)}>
                  {'about' in column && <span class="unseen">{column.about}</span>}
                  {column.label}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {!page && <Placeholders />}
          {page?.markets.map((row) => (
            <MarketRow
              key={row.id}
              row={row}
              name={(of.event && row.groupItemTitle) || row.question}
              points={sparkOf(row.clobTokenId)}
              now={now}
              navigation={navigation}
            />
          ))}
        </tbody>
      </table>
      <More more={more} length={page?.markets.length ?? 0} />
    </>
  );
}

/** The value of `aria-sort`, from the direction of the next click. */
function sorted(next: 'asc' | 'desc'): 'ascending' | 'descending' {
  return next === 'asc' ? 'descending' : 'ascending';
}

/** An empty list, and the way out of it. */
function Nothing({
  of: { query, category, event },
  navigation,
}: {
  readonly of: Shown;
  readonly navigation: Navigation;
}) {
  const where = category ? ` in the category “${category}”` : '';
  return (
    <p class="empty">
      {event ? 'This event has no open market' : query ? `No market matches “${query}”` : 'There is no market'}
      {where}.{' '}
      {category && (
        <Link class="plain" navigation={navigation} to={{ category: undefined }}>
          Look in all categories
        </Link>
      )}
    </p>
  );
}

function MarketRow(props: {
  readonly row: Row;
  readonly name: string;
  readonly points: readonly Point[] | undefined;
  readonly now: number;
  readonly navigation: Navigation;
}) {
  const { row, name, points: line, now, navigation } = props;
  const { market } = navigation.shown;
  const open = market === row.id || market === row.slug;
  return (
    <tr class={open ? 'open' : ''}>
      <th scope="row" class="question">
        <Link class="link" navigation={navigation} to={{ market: row.slug ?? row.id }} current={open}>
          {name}
        </Link>
        {row.outcome && <Outcome name={row.outcome} />}
      </th>
      <td class="line late">
        <Spark points={line} />
      </td>
      <td class="probability" data-label="Probability">
        <Bar value={row.currentProbability} />
      </td>
      <Change value={row.oneDayPriceChange} label="1 day" />
      <Change value={row.sevenDayPriceChange} label="7 days" late="late" />
      <Change value={row.thirtyDayPriceChange} label="30 days" late="last" />
      <td class="number day" data-label="24 h">
        <Marked>{usd(row.volume24h)}</Marked>
      </td>
      <td class="number late" data-label="Volume">
        <Marked>{usd(row.volume)}</Marked>
      </td>
      <td class="number last" data-label="Liquidity">
        <Marked>{usd(row.liquidity)}</Marked>
      </td>
      <td class="date" data-label="Ends" title={dateTime(row.endDate)}>
        {ends(row.endDate, now)}
      </td>
    </tr>
  );
}

/** The outcome that the probability refers to, if it is not "Yes". */
function Outcome({ name }: { readonly name: string }) {
  return (
    <small class="outcome" title={`Probability of “${name}”`}>
      <span class="unseen">, probability of </span>
      {name}
    </small>
  );
}

function Change(props: { readonly value: number | null | undefined; readonly label: string; readonly late?: string }) {
  return (
    <td
      class={`change ${direction(props.value)} ${props.late ?? ''}`}
      data-label={props.label}
      title="Percentage points"
    >
      <Marked>{points(props.value)}</Marked>
    </td>
  );
}

/** As high as rows, so that nothing moves when the rows arrive. */
function Placeholders() {
  return Array.from({ length: 14 }, (_, n) => (
    <tr key={n} class="placeholder">
      <td colSpan={COLUMNS.length + 2}>
        <span style={{ width: `${92 - ((n * 23) % 40)}%` }} />
      </td>
    </tr>
  ));
}
