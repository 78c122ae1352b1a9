-- Rows: `series`: a trial over time, one row per bucket.
-- Units: as the names say; `fromS`: seconds from the start of typing.
-- Rule: a quantile is shown if its samples are `enough_for` it. Samples of one sigil on several screens hang together, so its
--       end-to-end samples count once.
-- Source: the figures are those of Weidner et al. 2023, section 7.

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
  bucket * bucket_ms() / 1000 AS fromS,
  phase,
  100 * performed / nullif(offered, 0) AS throughputPercent,
  CASE WHEN enough_for(0.5, localSamples) THEN localP50Ms END AS localP50Ms,
  CASE WHEN enough_for(0.95, localSamples) THEN localP95Ms END AS localP95Ms,
  coalesce(localSamples, 0) AS localSamples,
  CASE WHEN enough_for(0.5, sigilsSeen) THEN endToEndP50Ms END AS endToEndP50Ms,
  CASE WHEN enough_for(0.95, sigilsSeen) THEN endToEndP95Ms END AS endToEndP95Ms,
  coalesce(endToEndSamples, 0) AS endToEndSamples,
  bucket_figures.* EXCLUDE (trial, bucket, phase)
FROM bucket_figures LEFT JOIN latencies USING (trial, bucket);
