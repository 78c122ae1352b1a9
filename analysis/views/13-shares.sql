-- What: `arrived`: how many of the measured window's sigils arrived, one row per trial.
-- Units: sigils; receipts, for `expected` and `arrived`; percent.
-- Rule: `sent` sigils, of which concurrent edits broke `broken`; each of the others is expected on every other screen.
-- Source: `arrivals`. The percentage is one of the metrics of Weidner et al. 2023, section 7.
CREATE VIEW arrived AS
SELECT
  trial,
  count(*)::INTEGER AS sent,
  count(*) FILTER (broken)::INTEGER AS broken,
  coalesce(sum(others) FILTER (NOT broken), 0)::INTEGER AS expected,
  coalesce(sum(arrivals.arrived) FILTER (NOT broken), 0)::INTEGER AS arrived,
  100 * sum(arrivals.arrived) FILTER (NOT broken) / nullif(sum(others) FILTER (NOT broken), 0) AS arrivedPercent
FROM arrivals
GROUP BY trial;

-- What: `local_latencies_within(bound_ms)`, `end_to_end_latencies_within(bound_ms)`: the share of latencies of the
--       measured window that are at most `bound_ms`, one row per trial; such as
--       FROM end_to_end_latencies_within(3000);
--       `latency_shares`: the same for the bounds of "fully functional".
-- Units: percent.
-- Rule: only sigils that showed have a latency, so read it beside `arrived`.
-- Source: Weidner et al. 2023, section 7.
CREATE MACRO local_latencies_within(bound_ms) AS TABLE
SELECT trial, 100 * avg((localLatencyMs <= bound_ms)::INTEGER) AS withinPercent, count(*)::INTEGER AS samples
FROM own_latencies
GROUP BY trial;

CREATE MACRO end_to_end_latencies_within(bound_ms) AS TABLE
SELECT trial, 100 * avg((endToEndLatencyMs <= bound_ms)::INTEGER) AS withinPercent, count(*)::INTEGER AS samples
FROM end_to_end_latencies
GROUP BY trial;

CREATE VIEW latency_shares AS
SELECT 'local' AS latency, bound_of('localLatencyMs.p50') AS boundMs, *
FROM local_latencies_within(bound_of('localLatencyMs.p50'))
UNION ALL
SELECT 'local', bound_of('localLatencyMs.p95'), * FROM local_latencies_within(bound_of('localLatencyMs.p95'))
UNION ALL
SELECT 'end to end', bound_of('endToEndLatencyMs.p50'), *
FROM end_to_end_latencies_within(bound_of('endToEndLatencyMs.p50'))
UNION ALL
SELECT 'end to end', bound_of('endToEndLatencyMs.p95'), *
FROM end_to_end_latencies_within(bound_of('endToEndLatencyMs.p95'));

-- What: the share of the measured window that a page's main thread spent in tasks of 50, 100 and 200 ms or longer, one
--       row per user whose editor runs in Chrome.
-- Units: percent of time.
-- Rule: a task that reaches over an edge of the window counts with what lies within. Chrome reports no task under
--       50 ms. A user outside Chrome has no row: there it is not measured. Rounded to six decimals, as the last bits of a
--       sum depend on the order in which cores add.
-- Source: `long-task` lines; W3C, "Long Tasks API". One of the metrics of Weidner et al. 2023, section 7.
CREATE VIEW long_task_shares AS
WITH tasks AS (
  SELECT
    trial, process, durationMs,
    greatest(0, least(atMs + offsetMs + durationMs, windows.toMs) - greatest(atMs + offsetMs, windows.fromMs)) AS withinMs
  FROM (SELECT trial, process, atMs, durationMs FROM lines WHERE type = 'long-task')
    JOIN clocks USING (trial, process)
    JOIN windows USING (trial)
)
SELECT
  trial,
  process,
  round(100 * coalesce(sum(withinMs) FILTER (durationMs >= 50), 0) / any_value(toMs - fromMs), 6) AS over50MsPercent,
  round(100 * coalesce(sum(withinMs) FILTER (durationMs >= 100), 0) / any_value(toMs - fromMs), 6) AS over100MsPercent,
  round(100 * coalesce(sum(withinMs) FILTER (durationMs >= 200), 0) / any_value(toMs - fromMs), 6) AS over200MsPercent
FROM processes
  JOIN windows USING (trial)
  LEFT JOIN tasks USING (trial, process)
WHERE role = 'user' AND chrome IS NOT NULL
GROUP BY trial, process;
