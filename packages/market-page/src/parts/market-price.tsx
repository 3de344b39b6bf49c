import type { MarketWithAllFields, ResolvedMarket, UnlistedMarket } from 'market-data-proxy-client';
import {
  age,
  cents,
  changeText,
  dateTime,
  direction,
  momentOf,
  otherPercent,
  percent,
} from '../format.ts';
import { useAge } from '../state/browser.ts';
import type { Row } from '../state/list.ts';
import { useSimulated } from '../state/status.ts';

/** Where a price comes from, and when it was read. */
interface Priced {
  readonly priceSource?: string;
  readonly pricedAt?: string;
}
export type EndedMarket = UnlistedMarket | ResolvedMarket;
/** The market of the panel: the list's row until the market itself has been read. */
export type PanelMarket = (Row | MarketWithAllFields | EndedMarket) &
  Priced & { readonly createdAt?: string };

/** Upstream's words for open and for resolved; a closed market without payouts can be resolved. */
const NOT_PENDING = ['active', 'resolved'];

/** What became of a market that has ended: its payouts, or that it is not resolved yet. */
export function Ended({ market }: { readonly market: EndedMarket }) {
  if (market.status === 'resolved') {
    const { resolvedAt = market.closedAt, resolution, createdAt } = market;
    const payouts = resolution.payouts.map(({ label, payout }) => `${label} pays ${cents(payout)}`);
    return (
      <p class="ended">
        <b>Resolved</b>
        {resolvedAt && ` ${momentOf(resolvedAt, createdAt)}`}: {payouts.join(', ')}.
      </p>
    );
  }
  const { closedAt, resolution, currentProbability: yes, outcome = 'Yes', createdAt } = market;
  const pending =
    resolution && !NOT_PENDING.includes(resolution.status) ? ` (${resolution.status})` : '';
  return (
    <p class="ended">
      <b>Closed</b>
      {closedAt && ` ${momentOf(closedAt, createdAt)}`}, not resolved yet{pending}.
      {yes !== undefined && ` The last price of “${outcome}” was ${percent(yes)}.`}
    </p>
  );
}

/** The price of an open market: both probabilities, the change of a day, and the price's source. */
export function Price({
  market,
  asOf,
}: {
  readonly market: PanelMarket;
  readonly asOf: Date | undefined;
}) {
  const {
    currentProbability: yes,
    outcome = 'Yes',
    outcomes = [],
    clobTokenId,
    oneDayPriceChange: change,
  } = market;
  const other = outcomes.find(({ tokenId }) => tokenId !== clobTokenId);
  return (
    <div class="price">
      <p class="large">
        <span>
          <small>{outcome}</small> <b>{yes === undefined ? '–' : percent(yes)}</b>{' '}
          {change !== null && (
            <span class={direction(change)}>{changeText(market, 'oneDayPriceChange')} in 24 h</span>
          )}
        </span>
        {other?.probability !== undefined && yes !== undefined && (
          <span class="other">
            <small>{other.label}</small> <b>{otherPercent(yes)}</b>
          </span>
        )}
      </p>
      <span class="track" style={{ '--share': `${yes ?? 0}%` }} aria-hidden="true" />
      <Source market={market} asOf={asOf} />
    </div>
  );
}

/** The sources of a price in words. `book`, the midpoint of this minute, needs none. */
const SOURCES: Readonly<Record<string, string>> = {
  trade: 'Price of the last trade: buyers and sellers are far apart.',
  carried: 'The order book could not be read this minute, so this is an earlier price.',
  catalogue: 'The order book could not be read, so this is the price of the catalogue.',
  untraded: 'Nobody has traded yet: this is the price of the catalogue.',
};
/** Whose price it is, by whether it is simulated. */
const ORIGINS: Readonly<Record<string, string>> = {
  true: 'Simulated price',
  false: 'Price of Polymarket',
  undefined: 'Price',
};
/** Smaller differences to the snapshot are not shown. */
const FRESH_SECONDS = 60;

/**
 * The source and the age of a price. The header says the age too, but on a phone the market covers
 * it.
 */
function Source({
  market,
  asOf,
}: {
  readonly market: PanelMarket;
  readonly asOf: Date | undefined;
}) {
  const { priceSource = 'book', pricedAt } = market;
  const isSimulated = useSimulated();
  const ageSeconds = useAge(asOf);
  const seconds = asOf && pricedAt ? (asOf.getTime() - Date.parse(pricedAt)) / 1_000 : 0;
  return (
    <p class="source muted">
      {ORIGINS[String(isSimulated)]}
      {ageSeconds !== undefined && `, ${age(ageSeconds)} old`}. {SOURCES[priceSource]}{' '}
      {seconds > FRESH_SECONDS &&
        pricedAt &&
        `Price from ${dateTime(pricedAt)}, ${age(seconds)} before the list.`}
    </p>
  );
}
