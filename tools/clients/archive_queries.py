"""Runs the code of docs/archive.md in two folders with simulated archives, and compares the rows
of calibration.sql beside it with those of plain loops.

Usage: archive_queries.py PAGE CALIBRATED BIASED

- CALIBRATED: a folder with prices that are right. It also has a past, in which only the prices of
  crypto are 40 % too close to 50 %. Its `sent.json` has what upstream sent for 50 tokens.
- BIASED: a folder in which all prices are 40 % too close to 50 %.
"""

import collections
import glob
import json
import math
import os
import re
import shutil
import statistics
import sys

import duckdb
import pandas
import polars

# In milliseconds, as all times here.
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
# The columns of calibration.sql, by position. WON is the payout of the favourites.
BEFORE, BIN, CATEGORY, EVENTS, MARKETS, PRICE, PAYOUT, FAVOURITES, WON, ERROR, BRIER = range(11)
page, *folders = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    text = file.read()
# The query of the file, and the statements before it, which set its variables.
with open(os.path.join(os.path.dirname(page), "calibration.sql"), encoding="utf-8") as file:
    setup, query = re.fullmatch(r"(.*\nSET VARIABLE .*?;\n)(WITH .*);\n", file.read(), re.DOTALL).groups()
(example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def run(query, zone="UTC", kind=None):
    """The rows of a query; times in milliseconds since 1970, which need no package for time zones."""
    connection = duckdb.connect()
    if kind:
        connection.execute(f"SET VARIABLE kind = '{kind}'")
    connection.execute(setup)
    connection.execute(f"SET TimeZone = '{zone}'")
    connection.execute(f"CREATE TABLE result AS {query}")
    columns = connection.execute("SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'result'").fetchall()
    casts = {"TIMESTAMP WITH TIME ZONE": "epoch_ms({})", "INTERVAL": "1000 * epoch({})"}
    names = [casts.get(kind, "{}").format(name) for name, kind in columns]
    return connection.execute(f"SELECT {', '.join(names)} FROM result").fetchall()


def check_same(found, expected):
    """Fails unless both lists have the same rows, numbers to nine digits."""

    def equal(a, b):
        if isinstance(a, float) and b is not None:
            return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
        return a == b

    assert len(found) == len(expected), f"{len(found)} rows instead of {len(expected)}"
    for row, wanted in zip(found, expected):
        assert len(row) == len(wanted) and all(map(equal, row, wanted)), f"{row} instead of {wanted}"
    print(f"{len(found)} rows, the first is {found[0]}")


def read(name, columns):
    """The rows of one kind of file of all archived days, each with its date, sorted."""
    dates = sorted(path[-15:-5] for path in glob.glob("data/archive/manifest/*.json"))
    source = ", ".join(f"'data/archive/{name}/date={date}/{name}.parquet'" for date in dates)
    return run(f"SELECT date::VARCHAR AS date, {columns} FROM read_parquet([{source}]) ORDER BY ALL")


def known_of_days(prices, markets, outcomes):
    """What the archived days know of resolved markets: for each time before the end, the event, the
    category, the last listed price of the ten minutes before, and the payout.
    """
    # The last row of a market that has a payout counts.
    payouts = {row[2]: row[3] for row in sorted(outcomes, key=lambda row: row[1]) if row[3] is not None}
    facts = {row[2]: row[3:] for row in markets}
    listed = collections.defaultdict(dict)
    for _, time, market, probability in prices:
        listed[market][time] = probability
    for market, payout in payouts.items():
        category, end, event = facts[market]
        for before in (HOUR, DAY, 7 * DAY):
            times = [time for time in listed[market] if end - before - 10 * MINUTE <= time <= end - before]
            if times:
                yield before, event or market, category or "other", listed[market][max(times)], payout


def known_of_past(prices, markets):
    """What the past knows, in the same form. A price counts if its three-hour bucket has ended, at
    most six hours before.
    """
    listed = collections.defaultdict(dict)
    for time, market, price in prices:
        listed[market][time] = price
    for market, category, end, event, payout in markets:
        for before in (DAY, 7 * DAY, 30 * DAY):
            last = end - before - 3 * HOUR
            times = [time for time in listed[market] if last - 6 * HOUR <= time <= last]
            if times and payout is not None:
                yield before, event or market, category or "other", listed[market][max(times)], payout


def scores(known):
    """The rows of calibration.sql: the scores of each tenth of the prices, and of each category."""
    groups = collections.defaultdict(list)
    for before, event, category, price, payout in known:
        for group in ((min(math.floor(10 * price), 9) * 10, None), (None, category)):
            groups[before, *group].append((event, price, payout))

    def order(item):
        before, bin, category = item[0]
        return before, bin is None, bin or 0, category or ""

    ordered = sorted(groups.items(), key=order)
    return [(*key, *score(group)) for key, group in ordered]


def score(markets):
    """The numbers of a group's row: events, markets, mean price and payout, the same of favourites
    (in percent), the standard error of the latter over events, and the Brier score.
    """
    misses = collections.defaultdict(float)
    favourites, won = [], []
    for event, price, payout in markets:
        favourites.append(max(price, 1 - price))
        won.append(payout if price >= 0.5 else 1 - payout)
        misses[event] += won[-1] - favourites[-1]
    _, prices, payouts = zip(*markets)
    percents = [prices, payouts, favourites, won]
    error = math.sqrt(sum(miss**2 for miss in misses.values())) / len(markets)
    brier = statistics.fmean((price - payout) ** 2 for _, price, payout in markets)
    return len(misses), len(markets), *(100 * statistics.fmean(of) for of in percents), 100 * error, brier


def far_bins(rows):
    """The bins whose resolved share is more than three standard errors from the predicted one."""
    def is_far(row):
        predicted, resolved = row[PRICE] / 100, row[PAYOUT] / 100
        standard_error = math.sqrt(predicted * (1 - predicted) / row[MARKETS])
        return abs(resolved - predicted) > 3 * standard_error

    bins = [row for row in rows if row[BIN] is not None]
    # Fewer than ten markets say nothing.
    return [row for row in bins if row[MARKETS] >= 10 and is_far(row)]


def check_past():
    """DuckDB, pandas and Polars read the same rows of the past, as upstream sent them. The query finds
    the one category that is not calibrated.
    """
    path = "data/archive/past/prices.parquet"
    prices = run(f"SELECT time, id, p FROM '{path}'")
    frame = pandas.read_parquet(path)
    times = frame["time"].dt.as_unit("ms").astype("int64")
    assert list(zip(times, frame["id"], frame["p"])) == prices
    columns = polars.read_parquet(path).select(polars.col("time").dt.epoch("ms"), "id", "p")
    assert list(columns.iter_rows()) == prices
    assert prices == sorted(prices, key=lambda row: (row[1], row[0])), "not sorted by id and time"
    columns = "id, category, end_date, event, payout, token"
    markets = run(f"SELECT {columns} FROM 'data/archive/past/markets.parquet'")
    assert len({row[0] for row in markets}) == len(markets) > 3_200, len(markets)
    ids = {row[5]: row[0] for row in markets}
    of_market = collections.defaultdict(list)
    for time, market, price in prices:
        of_market[market].append((time // 1000, price))
    with open("sent.json", encoding="utf-8") as file:
        sent = json.load(file)
    # The last point of a resolved market is its payout.
    points = {
        ids[token]: [(row["timestamp"], row["price"]) for row in rows[:-1]]
        for token, rows in sent.items()
    }
    assert len(points) == 50 and points == {market: of_market[market] for market in points}
    expected = scores(known_of_past(prices, [row[:5] for row in markets]))
    found = run(query)
    check_same(found, expected)
    of_day = [row for row in found if row[CATEGORY] and row[BEFORE] == DAY]
    far = {row[CATEGORY] for row in of_day if abs(row[WON] - row[FAVOURITES]) > 4 * row[ERROR]}
    assert far == {"crypto"}, f"not calibrated: {far}"
    print(f"{len(prices)} prices of the past, {sum(map(len, points.values()))} of them as sent")


def check_example(prices):
    """Runs the Python of the page. pandas, Polars and DuckDB must read the same rows, pandas also rules."""
    names = {}
    *lines, origin = example.strip().splitlines()
    exec("\n".join(lines), names)
    counts = collections.Counter(row[0] for row in prices)
    last = max(counts)
    assert list(names["prices"].columns) == ["probability"] and len(names["prices"]) == counts[last], names["prices"]
    # The page's example reads the days since this one.
    week = sum(count for date, count in counts.items() if date >= "2026-11-14")
    assert len(names["week"]) == week, f"{len(names['week'])} rows instead of {week}"
    # A folder without a manifest is no day, so it is left out of the sums.
    days = {str(day): count for day, count in names["rows"]}
    lazy = dict(names["days"].group_by("date").len().collect().iter_rows())
    assert {str(day): count for day, count in lazy.items()} == days, lazy
    assert {day: days[day] for day in counts} == counts, days
    assert eval(origin, names) == "simulated"
    metadata = duckdb.sql(f"SELECT decode(key), decode(value) FROM parquet_kv_metadata('{names['day']}')").fetchall()
    assert ("upstream", "simulated") in metadata, metadata
    rules = names["pandas"].read_parquet("data/archive/rules/date=2026-11-20/rules.parquet")
    assert len(rules) > 0 and rules["text"].str.startswith("This market will resolve to").all(), rules


calibrations = []
for folder in folders:
    os.chdir(folder)
    # A day without a manifest is no part of the archive.
    for path in glob.glob("data/archive/*/date=2026-11-20/"):
        shutil.copytree(path, path.replace("2026-11-20", "2001-01-01"), dirs_exist_ok=True)
    prices = read("prices", "time, id, probability")
    markets = read("markets", "last_time, id, category, end_date, event")
    outcomes = read("outcomes", "known_at, id, payout")
    expected = scores(known_of_days(prices, markets, outcomes))
    check_same(run(query, kind="days"), expected)
    if not calibrations:
        check_past()
    calibrations.append(far_bins(expected))
    check_example(prices)

assert calibrations[0] == [], f"not calibrated: {calibrations[0]}"
assert calibrations[1], "prices that are too close to 50 % come out calibrated"
newest = "SELECT max(time) AS time FROM 'data/archive/prices/*/*.parquet'"
assert run(newest) == run(newest, "America/New_York"), "the time zone of DuckDB changes an instant"
