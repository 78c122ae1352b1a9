-- Rows: the waits of users without a browser, who share a process, for each other. `workers`: the load and the lateness of
--       their processes in the measured window, one row per process that has more than one of them; `limited_workers`: the
--       worst one of each trial that such waits spoilt; `late_workers`: the worst one of each other trial whose latencies
--       hold some of them.
-- Units: percent of a core; ms; users.
-- Rule: everyone has a computer of their own, so what a user waits for another's work is the harness's, not the
--       framework's. On one thread that is busy for a share s of the time, it is about s / (1 - s) of a piece of work on
--       average: from 70 % of a core on (all of the process's threads), more than two of them, and the trial is invalid.
--       Users alone should see an event loop that is 5 ms late at most, and keys that are sent 10 ms late, at the 99th
--       percentile. More is told in a note: some frameworks' every piece of work takes longer, alone as among others, and
--       latencies are judged by bounds of 100 ms and more; keys that are later than that are found in 24-load-checks.sql.
--       Users of a live crowd are only the load for others in a browser: their keys may be as late as a recorded crowd's
--       frames (24-load-checks.sql), and what they read may wait as long as in a receive batch. More makes the trial
--       invalid.
--       A process's work grows with the square of the users, each of whom takes in what all others type; so many as
--       would bring it to the limit, the machine carries (`carried`). From 90 % on that is null: a thread reads no more than
--       100 %, however far beyond it is asked for.
-- Source: this project.
CREATE MACRO worker_core_limit_percent() AS 70;
CREATE MACRO worker_full_percent() AS 90;
CREATE MACRO worker_loop_limit_ms() AS 5;
CREATE MACRO worker_lag_limit_ms() AS 10;
CREATE MACRO crowd_loop_limit_ms() AS 50;

CREATE TABLE workers AS
WITH shared AS (
  SELECT trial, driver, min(process) AS process, any_value(users) AS users
  FROM drivers
  WHERE isWorker AND users > 1
  GROUP BY ALL
),
loops AS (
  SELECT trial, process, CASE WHEN enough_for(0.99, count(*)) THEN quantile_cont(delayMs, 0.99) END AS loopMs
  FROM reached_loop_delays
  GROUP BY ALL
),
lags AS (
  SELECT trial, processes[1] AS first, lateMs AS lagMs FROM driver_lags_at(0.99) WHERE enough_for(0.99, edits)
)
SELECT
  shared.trial,
  shared.process::VARCHAR AS process,
  shared.users,
  cpuPercent AS corePercent,
  loopMs,
  lagMs,
  corePercent > worker_core_limit_percent() AS isBusy,
  coalesce(loopMs > worker_loop_limit_ms(), false) OR coalesce(lagMs > worker_lag_limit_ms(), false) AS isLate,
  isCrowd IS NOT NULL
    AND (coalesce(loopMs > crowd_loop_limit_ms(), false) OR coalesce(lagMs > crowd_late_limit_ms(), false)) AS isTooLate,
  CASE WHEN isBusy AND corePercent < worker_full_percent() THEN floor(trials.users * sqrt(worker_core_limit_percent() / corePercent)) END AS carried
FROM shared
  JOIN trials USING (trial)
  LEFT JOIN (SELECT trial, process, true AS isCrowd FROM crowd_users) AS crowds USING (trial, process)
  LEFT JOIN (SELECT * EXCLUDE (isCrowd) FROM reached_use WHERE "of" = 'chrome' AND NOT isCrowd) AS used USING (trial, process)
  LEFT JOIN loops USING (trial, process)
  LEFT JOIN lags ON lags.trial = shared.trial AND lags.first = shared.process::VARCHAR;

CREATE VIEW limited_workers AS
SELECT trial, process, users, corePercent, worker_core_limit_percent() AS coreLimitPercent, loopMs, lagMs, carried
FROM workers
WHERE isBusy OR isTooLate
QUALIFY row_number() OVER (PARTITION BY trial ORDER BY isBusy DESC, corePercent DESC, process) = 1;

CREATE VIEW late_workers AS
SELECT trial, process, users, loopMs, worker_loop_limit_ms() AS loopLimitMs, lagMs, worker_lag_limit_ms() AS lagLimitMs
FROM workers ANTI JOIN limited_workers USING (trial)
WHERE isLate
QUALIFY row_number() OVER (PARTITION BY trial ORDER BY loopMs DESC, process) = 1;
