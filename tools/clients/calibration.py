"""The rows that docs/calibration.sql must return, computed by plain loops.

The query says how well prices predicted outcomes: it takes the price of each resolved market some time before its
planned end, and compares it with the payout. archive_queries.py compares its rows with those of `scores`.
"""

import collections
import math
import statistics
from typing import NamedTuple, Optional

# All times are in milliseconds.
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


class Prediction(NamedTuple):
    """The price of a market at a time before its planned end, and its payout; both are 0 to 1."""

    before: int
    event: str
    category: str
    price: float
    payout: float


class Score(NamedTuple):
    """A row of calibration.sql. Its predictions have prices in one tenth (`bin`, 0 to 90), or are of one category.

    All numbers but `brier` are counts or percents. The favourite is the more probable side of a market: `favourite` is
    its mean price, `won` its mean payout, and `error` the standard error of their difference.
    """

    before: int
    bin: Optional[int]
    category: Optional[str]
    events: int
    markets: int
    predicted: float
    resolved: float
    favourite: float
    won: float
    error: float
    brier: float


def predictions_of_days(prices, markets, outcomes):
    """The predictions in the archived days: the last price of the ten minutes before each time.

    The rows are those of the files: (date, time, id, probability), (date, last_time, id, category, end_date, event) and
    (date, known_at, id, payout).
    """
    payouts = {}
    # The last row of a market that has a payout counts.
    for _, _, market, payout in sorted(outcomes, key=lambda row: row[1]):
        if payout is not None:
            payouts[market] = payout
    details = {market: (category, end, event) for _, _, market, category, end, event in markets}
    history = history_of((market, time, price) for _, time, market, price in prices)
    for market, payout in payouts.items():
        category, end, event = details[market]
        for before in (HOUR, DAY, 7 * DAY):
            price = last_price(history[market], end - before - 10 * MINUTE, end - before)
            if price is not None:
                yield Prediction(before, event or market, category or "other", price, payout)


def predictions_of_past(prices, markets):
    """The predictions in the past: a price counts if its three-hour bucket ended at most six hours before the time.

    The rows are (time, id, price) and (id, category, end_date, event, payout).
    """
    history = history_of((market, time, price) for time, market, price in prices)
    for market, category, end, event, payout in markets:
        for before in (DAY, 7 * DAY, 30 * DAY):
            last = end - before - 3 * HOUR
            price = last_price(history[market], last - 6 * HOUR, last)
            if price is not None and payout is not None:
                yield Prediction(before, event or market, category or "other", price, payout)


def history_of(prices):
    """The price of each time, for each market."""
    history = collections.defaultdict(dict)
    for market, time, price in prices:
        history[market][time] = price
    return history


def last_price(history, first, last):
    """The last price of a market in a period; None if it has none there."""
    times = [time for time in history if first <= time <= last]
    return history[max(times)] if times else None


def scores(predictions):
    """All rows of calibration.sql, in their order: those of the bins first, then those of the categories."""
    groups = collections.defaultdict(list)
    for prediction in predictions:
        bin = min(math.floor(10 * prediction.price), 9) * 10
        groups[prediction.before, bin, None].append(prediction)
        groups[prediction.before, None, prediction.category].append(prediction)

    def order(key):
        before, bin, category = key
        return before, bin is None, bin or 0, category or ""

    return [score(*key, groups[key]) for key in sorted(groups, key=order)]


def score(before, bin, category, predictions):
    """The row of a group of predictions."""
    favourites, won = [], []
    # The markets of an event depend on each other, so the error counts events.
    misses = collections.defaultdict(float)
    for one in predictions:
        favourites.append(max(one.price, 1 - one.price))
        won.append(one.payout if one.price >= 0.5 else 1 - one.payout)
        misses[one.event] += won[-1] - favourites[-1]
    error = math.sqrt(sum(miss**2 for miss in misses.values())) / len(predictions)
    return Score(
        before,
        bin,
        category,
        events=len(misses),
        markets=len(predictions),
        predicted=100 * statistics.fmean(one.price for one in predictions),
        resolved=100 * statistics.fmean(one.payout for one in predictions),
        favourite=100 * statistics.fmean(favourites),
        won=100 * statistics.fmean(won),
        error=100 * error,
        brier=statistics.fmean((one.price - one.payout) ** 2 for one in predictions),
    )


def far_bins(rows):
    """The bins whose payouts are more than three standard errors from the prices.

    Bins of fewer than ten markets say nothing, so they are left out.
    """

    def is_far(row):
        predicted, resolved = row.predicted / 100, row.resolved / 100
        standard_error = math.sqrt(predicted * (1 - predicted) / row.markets)
        return abs(resolved - predicted) > 3 * standard_error

    return [row for row in rows if row.bin is not None and row.markets >= 10 and is_far(row)]
