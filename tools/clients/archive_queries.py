"""Runs the code of docs/archive.md and docs/calibration.sql in two folders with simulated archives.

Usage: archive_queries.py PAGE CALIBRATED BIASED

- PAGE: the path of docs/archive.md, beside which calibration.sql is.
- CALIBRATED: a folder with prices that are right. It also has a past, in which only the prices of
  crypto are 40 % too close to 50 %. Its `sent.json` has what upstream sent for 50 tokens.
- BIASED: a folder in which all prices are 40 % too close to 50 %.

Each folder has the archive as `data/archive`. DuckDB, pandas and Polars must read the same rows, and
calibration.sql must return those of calibration.py, which show where prices are not right.
"""

import collections
import glob
import json
import math
import os
import re
import shutil
import sys

import duckdb
import pandas
import polars

from calibration import DAY, Score, far_bins, predictions_of_days, predictions_of_past, scores

PAGE, CALIBRATED, BIASED = sys.argv[1:]
with open(PAGE, encoding="utf-8") as file:
    (EXAMPLE,) = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
# The query of calibration.sql, and the statements before it, which set its variables.
with open(os.path.join(os.path.dirname(PAGE), "calibration.sql"), encoding="utf-8") as file:
    SETUP, CALIBRATION = re.fullmatch(r"(.*\nSET VARIABLE .*?;\n)(WITH .*);\n", file.read(), re.DOTALL).groups()


def main():
    # The bins of each folder whose prices are not right.
    far = {}
    for folder in (CALIBRATED, BIASED):
        os.chdir(folder)
        # A folder without a manifest is no day of the archive, so every reader must leave it out.
        for path in glob.glob("data/archive/*/date=2026-11-20/"):
            shutil.copytree(path, path.replace("2026-11-20", "2001-01-01"), dirs_exist_ok=True)
        prices = read_days("prices", "time, id, probability")
        markets = read_days("markets", "last_time, id, category, end_date, event")
        outcomes = read_days("outcomes", "known_at, id, payout")
        expected = scores(predictions_of_days(prices, markets, outcomes))
        check_same(run(CALIBRATION, kind="days"), expected)
        if folder == CALIBRATED:
            check_past()
        far[folder] = far_bins(expected)
        check_example(prices)
    assert far[CALIBRATED] == [], f"not calibrated: {far[CALIBRATED]}"
    assert far[BIASED], "prices that are too close to 50 % come out calibrated"
    newest = "SELECT max(time) AS time FROM 'data/archive/prices/*/*.parquet'"
    assert run(newest) == run(newest, zone="America/New_York"), "the time zone of DuckDB changes an instant"


def run(query, zone="UTC", kind=None):
    """The rows of a query; times in milliseconds since 1970, which need no package for time zones."""
    connection = duckdb.connect()
    if kind:
        connection.execute(f"SET VARIABLE kind = '{kind}'")
    connection.execute(SETUP)
    connection.execute(f"SET TimeZone = '{zone}'")
    connection.execute(f"CREATE TABLE result AS {query}")
    columns = connection.execute("SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'result'").fetchall()
    casts = {"TIMESTAMP WITH TIME ZONE": "epoch_ms({})", "INTERVAL": "1000 * epoch({})"}
    names = [casts.get(type, "{}").format(name) for name, type in columns]
    return connection.execute(f"SELECT {', '.join(names)} FROM result").fetchall()


def read_days(name, columns):
    """The rows of one kind of file of all archived days, each with its date, sorted."""
    paths = glob.glob("data/archive/manifest/*.json")
    dates = sorted(re.search(r"date=(.*)\.json", path)[1] for path in paths)
    source = ", ".join(f"'data/archive/{name}/date={date}/{name}.parquet'" for date in dates)
    return run(f"SELECT date::VARCHAR AS date, {columns} FROM read_parquet([{source}]) ORDER BY ALL")


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


def check_past():
    """All three libraries read the same past, as upstream sent it. The query finds that crypto is not calibrated."""
    prices = check_prices_of_past("data/archive/past/prices.parquet")
    columns = "id, category, end_date, event, payout, token"
    markets = run(f"SELECT {columns} FROM 'data/archive/past/markets.parquet'")
    assert len({row[0] for row in markets}) == len(markets) > 3_200, len(markets)
    check_sent(prices, ids={row[5]: row[0] for row in markets})
    found = run(CALIBRATION)
    check_same(found, scores(predictions_of_past(prices, [row[:5] for row in markets])))
    rows = [Score(*row) for row in found]
    of_day = [row for row in rows if row.category and row.before == DAY]
    far = {row.category for row in of_day if abs(row.won - row.favourite) > 4 * row.error}
    assert far == {"crypto"}, f"not calibrated: {far}"


def check_prices_of_past(path):
    """DuckDB, pandas and Polars read the same rows, sorted by id and time. Returns (time, id, price) of each."""
    prices = run(f"SELECT time, id, p FROM '{path}'")
    frame = pandas.read_parquet(path)
    times = frame["time"].dt.as_unit("ms").astype("int64")
    assert list(zip(times, frame["id"], frame["p"])) == prices
    columns = polars.read_parquet(path).select(polars.col("time").dt.epoch("ms"), "id", "p")
    assert list(columns.iter_rows()) == prices
    assert prices == sorted(prices, key=lambda row: (row[1], row[0])), "not sorted by id and time"
    return prices


def check_sent(prices, ids):
    """The past has exactly the points that upstream sent for 50 tokens. `ids` has the market of each token."""
    stored = collections.defaultdict(list)
    for time, market, price in prices:
        stored[market].append((time // 1000, price))
    with open("sent.json", encoding="utf-8") as file:
        sent = json.load(file)
    assert len(sent) == 50, len(sent)
    for token, rows in sent.items():
        # The last point of a resolved market is its payout.
        points = [(row["timestamp"], row["price"]) for row in rows[:-1]]
        assert points == stored[ids[token]], token
    print(f"{len(prices)} prices of the past, {sum(len(rows) - 1 for rows in sent.values())} of them as sent")


def check_example(prices):
    """Runs the Python of the page. pandas, Polars and DuckDB must read the same rows, pandas also rules."""
    names = {}
    # The last line is an expression: the upstream of the archive.
    *lines, upstream = EXAMPLE.strip().splitlines()
    exec("\n".join(lines), names)
    assert eval(upstream, names) == "simulated"
    rows_of_day = collections.Counter(date for date, *_ in prices)
    last_day = max(rows_of_day)
    assert list(names["prices"].columns) == ["probability"], names["prices"]
    assert len(names["prices"]) == rows_of_day[last_day], names["prices"]
    # The page's example reads the days since this one.
    week = sum(count for date, count in rows_of_day.items() if date >= "2026-11-14")
    assert len(names["week"]) == week, f"{len(names['week'])} rows instead of {week}"
    # These read all folders, also the one without a manifest.
    duckdb_days = {str(day): count for day, count in names["rows"]}
    polars_days = {str(day): count for day, count in names["days"].group_by("date").len().collect().iter_rows()}
    assert polars_days == duckdb_days, polars_days
    assert {day: duckdb_days[day] for day in rows_of_day} == rows_of_day, duckdb_days
    metadata = duckdb.sql(f"SELECT decode(key), decode(value) FROM parquet_kv_metadata('{names['day']}')").fetchall()
    assert ("upstream", "simulated") in metadata, metadata
    rules = names["pandas"].read_parquet("data/archive/rules/date=2026-11-20/rules.parquet")
    assert len(rules) > 0 and rules["text"].str.startswith("This market will resolve to").all(), rules


main()
