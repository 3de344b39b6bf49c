import { useEffect, useRef } from 'preact/hooks';
import { dateTime, direction, ends, percent, points, usd } from '../format.ts';
import type { Navigation } from '../state/location.ts';
import { useNow } from '../state/use-now.ts';
import type { Row, Rows } from '../state/use-rows.ts';

/** Columns with the sort that a click on their head asks for; a second click turns it round. */
const COLUMNS = [
  { name: 'probability', label: 'Probability', sort: 'probability', first: 'desc' },
  { name: 'change', label: '1 day', sort: 'change1d', first: 'desc' },
  { name: 'change wide', label: '7 days', sort: 'change7d', first: 'desc' },
  { name: 'change wide', label: '30 days', sort: 'change30d', first: 'desc' },
  { name: 'number', label: 'Volume 24 h', sort: 'volume24h', first: 'desc' },
  { name: 'number wide', label: 'Volume', sort: 'volume', first: 'desc' },
  { name: 'number wide', label: 'Liquidity', sort: 'liquidity', first: 'desc' },
  { name: 'number', label: 'Ends', sort: 'endDate', first: 'asc' },
] as const;

export function MarketTable({ rows, navigation }: { readonly rows: Rows; readonly navigation: Navigation }) {
  const { shown, go } = navigation;
  const now = useNow(60_000);
  const sortBy = (sort: string, first: 'asc' | 'desc') => {
    const other = first === 'asc' ? 'desc' : 'asc';
    go({ sort, order: shown.sort === sort && (shown.order ?? first) === first ? other : first });
  };
  if (rows.state === 'ready' && rows.rows.length === 0) {
    return <p class="empty">No market fits. Try other words, or another category.</p>;
  }
  return (
    <>
      <table class="markets" aria-busy={rows.state === 'loading'}>
        <thead>
          <tr>
            <th scope="col" class="question">
              Market
            </th>
            {COLUMNS.map(({ name, label, sort, first }) => (
              <th key={sort} scope="col" class={name} aria-sort={ariaSort(shown, sort, first)}>
                <button type="button" onClick={() => sortBy(sort, first)}>
                  {label}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.rows.length === 0 && rows.state === 'loading' && <Placeholders />}
          {rows.rows.map((row) => (
            <MarketRow
              key={row.id}
              row={row}
              now={now}
              open={shown.market === row.id || shown.market === row.slug}
              pick={() => go({ market: row.slug ?? row.id })}
            />
          ))}
        </tbody>
      </table>
      <More rows={rows} />
    </>
  );
}

function MarketRow(props: {
  readonly row: Row;
  readonly now: number;
  readonly open: boolean;
  readonly pick: () => void;
}) {
  const { row, now, open, pick } = props;
  return (
    <tr class={open ? 'open' : ''}>
      <th scope="row" class="question">
        <button type="button" class="link" onClick={pick} aria-current={open ? 'true' : undefined}>
          {row.question}
        </button>
        {row.outcome && <small>probability of “{row.outcome}”</small>}
      </th>
      <td class="probability" data-label="Probability">
        <Bar value={row.currentProbability} />
      </td>
      <Change value={row.oneDayPriceChange} label="1 day" />
      <Change value={row.sevenDayPriceChange} label="7 days" wide />
      <Change value={row.thirtyDayPriceChange} label="30 days" wide />
      <td class="number" data-label="Volume 24 h">
        {usd(row.volume24h)}
      </td>
      <td class="number wide" data-label="Volume">
        {usd(row.volume)}
      </td>
      <td class="number wide" data-label="Liquidity">
        {usd(row.liquidity)}
      </td>
      <td class="number" data-label="Ends" title={dateTime(row.endDate)}>
        {ends(row.endDate, now)}
      </td>
    </tr>
  );
}

export function Bar({ value }: { readonly value: number }) {
  return (
    <span class="bar">
      <meter min={0} max={100} value={value} aria-label="Probability">
        {percent(value)}
      </meter>
      <span>{percent(value)}</span>
    </span>
  );
}

function Change(props: {
  readonly value: number | null | undefined;
  readonly label: string;
  readonly wide?: boolean;
}) {
  return (
    <td class={`change ${direction(props.value)} ${props.wide ? 'wide' : ''}`} data-label={props.label}>
      {points(props.value)}
    </td>
  );
}

/** As tall as the rows to come, so that nothing jumps when they do. */
function Placeholders() {
  return Array.from({ length: 12 }, (_, n) => (
    <tr key={n} class="placeholder">
      <td colSpan={COLUMNS.length + 1}>
        <span />
      </td>
    </tr>
  ));
}

/** Reads on when its place comes into sight. */
function More({ rows }: { readonly rows: Rows }) {
  const place = useRef<HTMLParagraphElement>(null);
  const more = useRef(rows.more);
  more.current = rows.more;
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) more.current?.();
      },
      { rootMargin: '600px' },
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [rows.rows.length]);
  return (
    <p class="more" ref={place}>
      {rows.more && (
        <button type="button" onClick={rows.more}>
          Show more
        </button>
      )}
    </p>
  );
}

function ariaSort(shown: Navigation['shown'], sort: string, first: 'asc' | 'desc') {
  if (shown.sort !== sort) return undefined;
  return (shown.order ?? first) === 'asc' ? 'ascending' : 'descending';
}
