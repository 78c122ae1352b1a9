-- What: `enough_for(p, n)`: whether `n` samples are enough to show their quantile `p`; `series`: a trial over time, one
--       row per bucket; `cell_summaries`: one row per cell, the figures of `summary.json` that pool samples.
-- Units: as the names say; `fromS`: seconds from the start of typing.
-- Rule: samples are pooled over the cell's valid trials before quantiles are taken, percentiles are never averaged. A
--       quantile is shown where a distribution-free 95 % interval for it exists at all: 6 samples for a median, 59 for
--       a 95th percentile. The variable `valid_trials`, a list of trial names, says which trials count; where it is not
--       set, all do:
--       SET VARIABLE valid_trials = ['yjs-noquill-4-1', 'yjs-noquill-4-2'];
-- Source: David & Nagaraja 2003, "Order Statistics", section 7.1, for the least number of samples; the figures are those
--       of Weidner et al. 2023, section 7.
CREATE MACRO enough_for(p, n) AS n > 0 AND pow(p, n) + pow(1 - p, n) <= 0.05;

CREATE VIEW series AS
WITH latencies AS (
  SELECT
    trial,
    bucket,
    count(*) FILTER (own)::INTEGER AS localSamples,
    quantile_cont(latencyMs, 0.5) FILTER (own) AS localP50Ms,
    quantile_cont(latencyMs, 0.95) FILTER (own) AS localP95Ms,
    count(*) FILTER (NOT own)::INTEGER AS endToEndSamples,
    quantile_cont(latencyMs, 0.5) FILTER (NOT own) AS endToEndP50Ms,
    quantile_cont(latencyMs, 0.95) FILTER (NOT own) AS endToEndP95Ms
  FROM bucket_latencies
  GROUP BY ALL
)
SELECT
  trial,
  bucket,
  10 * bucket AS fromS,
  phase,
  100 * performed / nullif(offered, 0) AS throughputPercent,
  CASE WHEN enough_for(0.5, localSamples) THEN localP50Ms END AS localP50Ms,
  CASE WHEN enough_for(0.95, localSamples) THEN localP95Ms END AS localP95Ms,
  coalesce(localSamples, 0) AS localSamples,
  CASE WHEN enough_for(0.5, endToEndSamples) THEN endToEndP50Ms END AS endToEndP50Ms,
  CASE WHEN enough_for(0.95, endToEndSamples) THEN endToEndP95Ms END AS endToEndP95Ms,
  coalesce(endToEndSamples, 0) AS endToEndSamples,
  bucket_figures.* EXCLUDE (trial, bucket, phase)
FROM bucket_figures LEFT JOIN latencies USING (trial, bucket);

CREATE VIEW cell_summaries AS
WITH counted AS (
  SELECT * FROM trials WHERE coalesce(list_contains(getvariable('valid_trials'), trial::VARCHAR), true)
),
typed AS (
  SELECT cell, 100 * sum(performed) / nullif(sum(offered), 0) AS throughputPercent
  FROM counted JOIN throughput USING (trial)
  GROUP BY cell
),
arrivals_of_cells AS (
  SELECT cell, 100 * sum(arrived.arrived) / nullif(sum(expected), 0) AS sigilsArrivedPercent
  FROM counted JOIN arrived USING (trial)
  GROUP BY cell
),
own AS (
  SELECT cell, count(*)::INTEGER AS samples, quantile_cont(localLatencyMs, 0.5) AS p50, quantile_cont(localLatencyMs, 0.95) AS p95
  FROM counted JOIN own_latencies USING (trial)
  GROUP BY cell
),
others AS (
  SELECT cell, count(*)::INTEGER AS samples, quantile_cont(endToEndLatencyMs, 0.5) AS p50, quantile_cont(endToEndLatencyMs, 0.95) AS p95
  FROM counted JOIN end_to_end_latencies USING (trial)
  GROUP BY cell
)
SELECT
  cell,
  framework,
  mode,
  users,
  count(*)::INTEGER AS trials,
  any_value(throughputPercent) AS throughputPercent,
  any_value(sigilsArrivedPercent) AS sigilsArrivedPercent,
  any_value(CASE WHEN enough_for(0.5, own.samples) THEN own.p50 END) AS localP50Ms,
  any_value(CASE WHEN enough_for(0.95, own.samples) THEN own.p95 END) AS localP95Ms,
  coalesce(any_value(own.samples), 0) AS localSamples,
  any_value(CASE WHEN enough_for(0.5, others.samples) THEN others.p50 END) AS endToEndP50Ms,
  any_value(CASE WHEN enough_for(0.95, others.samples) THEN others.p95 END) AS endToEndP95Ms,
  coalesce(any_value(others.samples), 0) AS endToEndSamples
FROM counted
  LEFT JOIN typed USING (cell)
  LEFT JOIN arrivals_of_cells USING (cell)
  LEFT JOIN own USING (cell)
  LEFT JOIN others USING (cell)
GROUP BY cell, framework, mode, users;
