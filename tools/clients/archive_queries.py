"""Runs the SQL of docs/archive.md in a folder with an archive: every query must find rows."""

import re
import sys

import duckdb

with open(sys.argv[1], encoding="utf-8") as page:
    queries = re.findall(r"```sql\n(.*?)```", page.read(), re.DOTALL)
assert len(queries) == 5, f"{len(queries)} queries instead of 5"
for query in queries:
    rows = duckdb.sql(query).fetchall()
    print(f"{len(rows)} rows, the first is {rows[:1]}")
    assert rows, f"no rows: {query}"

types = duckdb.sql("DESCRIBE FROM 'data/archive/prices/*/*.parquet'").fetchall()
assert ("time", "TIMESTAMP") == types[0][:2], types
metadata = "SELECT max(row_group_num_rows) FROM parquet_metadata('data/archive/prices/*/*.parquet') WHERE stats_min_value IS NOT NULL"
assert duckdb.sql(metadata).fetchall()[0][0] <= 200 * 1440
