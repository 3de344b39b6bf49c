/** The price of the open market, or what became of a market that has ended. */
import type { MarketWithAllFields, ResolvedMarket, UnlistedMarket } from 'market-data-proxy-client';
import {
  age,
  cents,
  changeText,
  dateTime,
  direction,
  otherPercent,
  percent,
  shortMoment,
} from '../format.ts';
import { useAge } from '../state/browser.ts';
import type { Row } from '../state/list.ts';
import { useSimulated } from '../state/status.ts';

/** Where a price comes from, and when it was read. */
interface Priced {
  readonly priceSource?: string;
  readonly pricedAt?: string;
}
/** A market that is no longer in the list, because it has closed. */
export type EndedMarket = UnlistedMarket | ResolvedMarket;
/** The market of the panel: its row of the list until the market itself has been read. */
export type PanelMarket = (Row | MarketWithAllFields | EndedMarket) &
  Priced & { readonly createdAt?: string };

/**
 * Upstream's states of a resolution that say nothing of a closed market without payouts. The other
 * ones, such as `proposed` and `disputed`, say why it is not resolved yet.
 */
const STATES_WITHOUT_NEWS = ['active', 'resolved'];

/** What became of a market that has ended: its payouts, or that it is not resolved yet. */
export function Ended({ market }: { readonly market: EndedMarket }) {
  if (market.status === 'resolved') {
    const { resolvedAt = market.closedAt, resolution, createdAt } = market;
    const payouts = resolution.payouts.map(({ label, payout }) => `${label} pays ${cents(payout)}`);
    return (
      <p class="ended">
        <b>Resolved</b>
        {resolvedAt && ` ${shortMoment(resolvedAt, createdAt)}`}: {payouts.join(', ')}.
      </p>
    );
  }
  const { closedAt, resolution, currentProbability, outcome = 'Yes', createdAt } = market;
  const hasNews = resolution && !STATES_WITHOUT_NEWS.includes(resolution.status);
  const state = hasNews ? ` (${resolution.status})` : '';
  return (
    <p class="ended">
      <b>Closed</b>
      {closedAt && ` ${shortMoment(closedAt, createdAt)}`}, not resolved yet{state}.
      {currentProbability !== undefined &&
        ` The last price of “${outcome}” was ${percent(currentProbability)}.`}
    </p>
  );
}

/** An open market, and the time of its price. */
interface PriceProps {
  readonly market: PanelMarket;
  readonly asOf: Date | undefined;
}

/** The price of an open market: both probabilities, the change of a day, and the price's source. */
export function Price({ market, asOf }: PriceProps) {
  const {
    currentProbability: probability,
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
          <small>{outcome}</small> <b>{percent(probability)}</b>{' '}
          {change !== null && (
            <span class={direction(change)}>{changeText(market, 'oneDayPriceChange')} in 24 h</span>
          )}
        </span>
        {other?.probability !== undefined && probability !== undefined && (
          <span class="other">
            <small>{other.label}</small> <b>{otherPercent(probability)}</b>
          </span>
        )}
      </p>
      <span class="track" style={{ '--share': `${probability ?? 0}%` }} aria-hidden="true" />
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
/** A price that was read this much before the list, or less, needs no time of its own. */
const FRESH_SECONDS = 60;

/**
 * The source and the age of a price. The header says the age too, but on a phone the market covers
 * it.
 */
function Source({ market, asOf }: PriceProps) {
  const { priceSource = 'book', pricedAt } = market;
  const isSimulated = useSimulated();
  const ageSeconds = useAge(asOf);
  const secondsBefore = asOf && pricedAt ? (asOf.getTime() - Date.parse(pricedAt)) / 1_000 : 0;
  return (
    <p class="source muted">
      {priceInWords(isSimulated)}
      {ageSeconds !== undefined && `, ${age(ageSeconds)} old`}. {SOURCES[priceSource]}{' '}
      {secondsBefore > FRESH_SECONDS &&
        pricedAt &&
        `Price from ${dateTime(pricedAt)}, ${age(secondsBefore)} before the list.`}
    </p>
  );
}

/** Whose price it is. @param isSimulated undefined: unknown yet */
function priceInWords(isSimulated: boolean | undefined): string {
  if (isSimulated === undefined) return 'Price';
  return isSimulated ? 'Simulated price' : 'Price of Polymarket';
}
