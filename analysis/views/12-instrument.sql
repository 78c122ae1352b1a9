-- Rows: the part of the instrument and its machine in the figures. `delay_line_lateness`: the lateness with which the delay
--       lines of users sent chunks on in the measured window, one row per user, and one of all users together, whose `process`
--       is null (`delay_line_figures`); `withheld_use`: CPU time that a process's machine or control group wanted and did not
--       get, one row per process that told; `withheld_figures`: the worst of each trial.
-- Units: ms, below zero if sooner than planned; `stealPercent`: of all cores' time; `throttledPercent`: of one core.
-- Rule: lateness is told in groups, each of which stands for its greatest; a group belongs to the window if its line does.
--       Only lateness in sending on is told: nothing tells that of the same process in reading a chunk. Counters of
--       withheld time are cumulative, and rates known as those of `resource_use`. The kernel adds up what a group is held
--       up on each core, so several cores can make it more than 100. Of a trial that failed before the window's end,
--       rows tell of the part that it reached, for checks; the figures leave it out.
CREATE TABLE delay_line_lateness AS
SELECT
  trial,
  process,
  CASE WHEN enough_for(0.5, any_value(total)) THEN min(lateMs) FILTER (upTo >= 0.5 * total) END AS medianMs,
  CASE WHEN enough_for(0.95, any_value(total)) THEN min(lateMs) FILTER (upTo >= 0.95 * total) END AS p95Ms,
  CASE WHEN enough_for(0.99, any_value(total)) THEN min(lateMs) FILTER (upTo >= 0.99 * total) END AS p99Ms
FROM (
  SELECT
    trial,
    process,
    delay[2] AS lateMs,
    sum(sum(delay[1])) OVER (PARTITION BY trial, process ORDER BY delay[2]) AS upTo,
    sum(sum(delay[1])) OVER (PARTITION BY trial, process) AS total
  FROM (
    SELECT trial, process, unnest(delays) AS delay
    FROM line.delay_line JOIN own_reached_windows USING (trial, process)
    WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs < toMs
  )
  GROUP BY GROUPING SETS ((trial, process, delay[2]), (trial, delay[2]))
)
GROUP BY trial, process;

CREATE VIEW delay_line_figures AS
SELECT trial, medianMs AS delayLineMedianMs, p99Ms AS delayLineP99Ms
FROM delay_line_lateness SEMI JOIN windows USING (trial)
WHERE process IS NULL;

CREATE TABLE withheld_use AS
SELECT
  trial,
  process,
  any_value(cores) AS cores,
  100 * rate_in_window(stealMs, 0, atMs, windowMs) / any_value(cores) AS stealPercent,
  100 * rate_in_window(throttledMs, 0, atMs, windowMs) AS throttledPercent
FROM line.withheld JOIN own_reached_windows USING (trial, process) ANTI JOIN crowd_users USING (trial, process)
WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs <= toMs
GROUP BY trial, process;

CREATE VIEW withheld_figures AS
SELECT trial, max(stealPercent) AS machineStealPercent, max(throttledPercent) AS throttledPercent
FROM withheld_use SEMI JOIN windows USING (trial)
GROUP BY trial;
