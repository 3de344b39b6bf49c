-- How well the probabilities of an archive in data/archive predicted the outcomes, an hour, a day and a week before the
-- planned end: duckdb -f docs/calibration.sql. The last price before a market leaves would already know the result.
SET TimeZone = 'UTC';
WITH day AS (SELECT date FROM 'data/archive/manifest/*.json'),
  market AS (SELECT id, coalesce(any_value(category), 'other') AS category, arg_max(end_date, last_time) AS end_date
    FROM 'data/archive/markets/*/*.parquet' WHERE date IN (FROM day) GROUP BY id),
  outcome AS (SELECT id, arg_max(payout, known_at) AS payout FROM 'data/archive/outcomes/*/*.parquet' WHERE date IN (FROM day) GROUP BY id),
  asked AS (SELECT id, category, payout, before, end_date - before AS time
    FROM market JOIN outcome USING (id) CROSS JOIN (SELECT unnest([INTERVAL 1 hour, INTERVAL 1 day, INTERVAL 7 days]) AS before)
    WHERE payout IS NOT NULL),
  known AS (SELECT id, before, category, payout, arg_max(probability, price.time) AS probability
    FROM 'data/archive/prices/*/*.parquet' AS price JOIN asked USING (id)
    WHERE date IN (FROM day) AND price.time BETWEEN asked.time - INTERVAL 10 minutes AND asked.time GROUP BY ALL)
SELECT before, least(floor(probability / 10), 9) * 10 AS bin, category, count(*) AS markets, avg(probability) AS predicted,
  100 * avg(payout) AS resolved, avg((probability / 100 - payout) ** 2) AS brier
FROM known GROUP BY GROUPING SETS ((before, bin), (before, category)) ORDER BY before, bin, category;
