"""Runs the code of docs/archive.md in two folders with simulated archives, and compares the rows of calibration.sql beside it with those of plain loops.

Usage: archive_queries.py PAGE CALIBRATED BIASED. In the second folder, all prices are 40 % too close to 50 %.
"""

import collections
import glob
import math
import os
import re
import shutil
import statistics
import sys

import duckdb

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
page, *folders = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    text = file.read()
with open(os.path.join(os.path.dirname(page), "calibration.sql"), encoding="utf-8") as file:
    (query,) = re.findall(r"SET TimeZone = 'UTC';\n(.*?);\n", file.read(), re.DOTALL)
(example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def run(query, zone="UTC"):
    """The rows of a query; times in milliseconds since 1970, which need no package for time zones."""
    connection = duckdb.connect()
    connection.execute(f"SET TimeZone = '{zone}'")
    connection.execute(f"CREATE TABLE result AS {query}")
    columns = connection.execute("SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'result'").fetchall()
    casts = {"TIMESTAMP WITH TIME ZONE": "epoch_ms({})", "INTERVAL": "1000 * epoch({})"}
    names = [casts.get(kind, "{}").format(name) for name, kind in columns]
    return connection.execute(f"SELECT {', '.join(names)} FROM result").fetchall()


def same(found, expected):
    def equal(a, b):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) if isinstance(a, float) and b is not None else a == b

    assert len(found) == len(expected), f"{len(found)} rows instead of {len(expected)}"
    for row, wanted in zip(found, expected):
        assert len(row) == len(wanted) and all(map(equal, row, wanted)), f"{row} instead of {wanted}"
    print(f"{len(found)} rows, the first is {found[0]}")


def read(name, columns):
    """The rows of the archived days, by time."""
    dates = sorted(path[-15:-5] for path in glob.glob("data/archive/manifest/*.json"))
    source = ", ".join(f"'data/archive/{name}/date={date}/{name}.parquet'" for date in dates)
    return run(f"SELECT date::VARCHAR AS date, {columns} FROM read_parquet([{source}]) ORDER BY ALL")


def calibration(prices, markets, outcomes):
    payouts = {row[2]: row[3] for row in sorted(outcomes, key=lambda row: row[1]) if row[3] is not None}
    facts = {row[2]: (row[3] or "other", row[4]) for row in markets}
    listed = collections.defaultdict(dict)
    for _, time, market, probability in prices:
        listed[market][time] = probability
    groups = collections.defaultdict(list)
    for market, payout in payouts.items():
        category, end = facts[market]
        for before in (HOUR, DAY, 7 * DAY):
            times = [time for time in listed[market] if end - before - 10 * MINUTE <= time <= end - before]
            if times:
                probability = listed[market][max(times)]
                groups[before, min(probability // 10, 9) * 10, None].append((probability, payout))
                groups[before, None, category].append((probability, payout))
    ordered = sorted(groups.items(), key=lambda item: (item[0][0], item[0][1] is None, item[0][1] or 0, item[0][2] or ""))
    return [
        (*key, len(of), statistics.fmean(p for p, _ in of), 100 * statistics.fmean(x for _, x in of),
         statistics.fmean((p / 100 - x) ** 2 for p, x in of))
        for key, of in ordered
    ]  # fmt: skip


def far_bins(rows):
    """The bins whose resolved share is more than three standard errors from the predicted one."""
    def is_far(row):
        share = row[4] / 100
        return abs(row[5] / 100 - share) > 3 * math.sqrt(share * (1 - share) / row[3])

    return [row for row in rows if row[1] is not None and row[3] >= 10 and is_far(row)]


def check_example(prices):
    """Runs the Python of the page. pandas, Polars and DuckDB must read the same rows, pandas also rules."""
    names = {}
    *lines, origin = example.strip().splitlines()
    exec("\n".join(lines), names)
    counts = collections.Counter(row[0] for row in prices)
    last = max(counts)
    assert list(names["prices"].columns) == ["probability"] and len(names["prices"]) == counts[last], names["prices"]
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
    markets = read("markets", "last_time, id, category, end_date")
    outcomes = read("outcomes", "known_at, id, payout")
    expected = calibration(prices, markets, outcomes)
    same(run(query), expected)
    calibrations.append(far_bins(expected))
    check_example(prices)

assert calibrations[0] == [], f"not calibrated: {calibrations[0]}"
assert calibrations[1], "prices that are too close to 50 % come out calibrated"
newest = "SELECT max(time) AS time FROM 'data/archive/prices/*/*.parquet'"
assert run(newest) == run(newest, "America/New_York"), "the time zone of DuckDB changes an instant"
