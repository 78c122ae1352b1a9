-- Rows: the limits of trials at a server that somebody else runs. `long_ways`: trials whose latency is mostly the way there;
--       `full_servers`: trials whose server had no time left. One row per trial.
-- Units: ms; `sharePercent`: of the median end-to-end latency; `cpuPercent`: of one core; `isLate`: true if its event loop
--       tells so; false: its CPU alone does.
-- Rule: the system of a server, or of a proxy before it, answers a TCP handshake whatever the server does, so the shortest one is the
--       distance there and back. An edit goes there once and back once. From half of the latency on it is the larger part. A process
--       that is busy as its users join hears late of the answer: shorter ways, and full machines, tell nothing. A server has no time
--       left at the same limits at which it gives out in a search.
CREATE MACRO least_way_ms() AS 20;

CREATE VIEW long_ways AS
WITH ways AS (
  SELECT trial, min(handshakeMs) AS handshakeMs FROM processes WHERE handshakeMs IS NOT NULL GROUP BY trial
),
latencies AS (
  SELECT trial, quantile_cont(sample, 0.5) AS medianMs FROM samples WHERE figure = 'endToEndLatencyMs' GROUP BY trial
)
SELECT trial, handshakeMs, medianMs, 100 * handshakeMs / medianMs AS sharePercent
FROM ways JOIN latencies USING (trial) ANTI JOIN busy_machines USING (trial)
WHERE 2 * handshakeMs >= medianMs AND handshakeMs >= least_way_ms();

CREATE VIEW full_servers AS
WITH delays AS (
  SELECT trial, CASE WHEN enough_for(0.99, count(*)) THEN quantile_cont(delayMs, 0.99) END AS loopMs
  FROM server_loop_delays
  GROUP BY trial
)
SELECT
  trials.trial AS trial,
  trial_figures.serverCpuPercent AS cpuPercent,
  delays.loopMs AS loopMs,
  coalesce(loopMs >= late_server_ms(), false) AS isLate
FROM trials LEFT JOIN trial_figures USING (trial) LEFT JOIN delays USING (trial)
WHERE document IS NOT NULL AND (isLate OR cpuPercent >= used_up_percent());
