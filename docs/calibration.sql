-- How well prices in data/archive predicted the outcomes: duckdb -f docs/calibration.sql. It reads the past if there is
-- one, otherwise the days; duckdb -cmd "SET VARIABLE kind = 'days'" -f docs/calibration.sql chooses. It asks some time
-- before the planned end, because the last price before a market closes would already know the result.
SET TimeZone = 'UTC';
SET VARIABLE kind = coalesce(getvariable('kind'),
  (SELECT if(count(*) > 0, 'past', 'days') FROM glob('data/archive/past/manifest.json')));
WITH known AS (FROM query(CASE getvariable('kind')
  -- A bucket has ended three hours after its time.
  WHEN 'past' THEN $$
    SELECT id, event, category, payout, before, arg_max(p, price.time) AS p
    FROM 'data/archive/past/prices.parquet' AS price JOIN 'data/archive/past/markets.parquet' USING (id)
      CROSS JOIN (SELECT unnest([INTERVAL 1 day, INTERVAL 7 days, INTERVAL 30 days]) AS before)
    WHERE payout IS NOT NULL AND price.time + INTERVAL 3 hours BETWEEN end_date - before - INTERVAL 6 hours AND end_date - before
    GROUP BY ALL $$
  ELSE $$
    WITH day AS (SELECT date FROM 'data/archive/manifest/*.json'),
      market AS (SELECT id, any_value(event) AS event, any_value(category) AS category, arg_max(end_date, last_time) AS end_date
        FROM 'data/archive/markets/*/*.parquet' WHERE date IN (FROM day) GROUP BY id),
      outcome AS (SELECT id, arg_max(payout, known_at) AS payout FROM 'data/archive/outcomes/*/*.parquet'
        WHERE date IN (FROM day) GROUP BY id),
      asked AS (SELECT *, end_date - before AS time FROM market JOIN outcome USING (id)
        CROSS JOIN (SELECT unnest([INTERVAL 1 hour, INTERVAL 1 day, INTERVAL 7 days]) AS before) WHERE payout IS NOT NULL)
    SELECT id, event, category, payout, before, arg_max(probability, price.time) AS p
    FROM 'data/archive/prices/*/*.parquet' AS price JOIN asked USING (id)
    WHERE date IN (FROM day) AND price.time BETWEEN asked.time - INTERVAL 10 minutes AND asked.time GROUP BY ALL $$
  END)),
asked AS (SELECT before, p, payout, least(floor(10 * p), 9) * 10 AS bin, coalesce(category, 'other') AS category,
    coalesce(event, id) AS event, if(p >= 0.5, payout, 1 - payout) AS won FROM known),
-- The markets of an event depend on each other, so the error counts events.
summed AS (SELECT before, bin, category, count(*) AS markets, sum(p) AS predicted, sum(payout) AS resolved,
    sum(greatest(p, 1 - p)) AS favourite, sum(won) AS won, sum((p - payout) ** 2) AS brier
  FROM asked GROUP BY GROUPING SETS ((before, bin, event), (before, category, event)))
SELECT before, bin, category, count(*) AS events, sum(markets) AS markets,
  100 * sum(predicted) / sum(markets) AS predicted, 100 * sum(resolved) / sum(markets) AS resolved,
  100 * sum(favourite) / sum(markets) AS favourite, 100 * sum(won) / sum(markets) AS won,
  100 * sqrt(sum((won - favourite) ** 2)) / sum(markets) AS error, sum(brier) / sum(markets) AS brier
FROM summed GROUP BY before, bin, category ORDER BY before, bin, category;
