-- Rows: `throughput`: edits that fell due and edits performed in the measured window, with the characters that they put in
--       (`insertedCharacters`) and the most that one of them put in or took out (`largestEdit`), one row per user,
--       with a mark for those of a crowd; `schedule_lags`: the lateness of each performed edit of the probes, one row per edit.
-- Units: edits; UTF-16 units, null if the record does not tell; `lagMs`: ms from when an edit was due to when it was sent.
-- Rule: a typing line tells of the edits that were due in one second, and `atMs` is the middle of that second. The line
--       counts if that middle lies in the window. A user who had nothing to type (a watcher) has no row.
CREATE VIEW typing_in_window AS
SELECT trial, process, offered, performed, skipped, sigilsSkipped, formats, insertedCharacters, largestEdit, lagMs
FROM typing_lines JOIN own_windows USING (trial, process)
WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs < toMs;

CREATE TABLE throughput AS
SELECT
  trial,
  process,
  sum(offered)::DOUBLE AS offered,
  sum(performed)::DOUBLE AS performed,
  sum(insertedCharacters)::DOUBLE AS insertedCharacters,
  max(largestEdit)::DOUBLE AS largestEdit,
  any_value(crowd) IS NOT NULL AS isCrowd
FROM typing_in_window LEFT JOIN crowd_users USING (trial, process)
GROUP BY trial, process
HAVING sum(offered) > 0;

CREATE VIEW schedule_lags AS SELECT trial, process, unnest(lagMs) AS lagMs FROM typing_in_window SEMI JOIN probes USING (trial, process);

-- Rows: the lateness of a recorded crowd's frames in the measured window, at the 99th percentile, one row per trial: `crowd_lateness`;
--       `reached_crowd_lateness` also has trials that failed before the window's end, for checks alone.
-- Units: ms from when a frame was due to when it was sent.
-- Rule: a line tells of the seconds before it, and counts at the instant at which it was written. Unlike other percentiles it is
--       known of however few frames: a cell that has it is one with a recorded crowd.
CREATE VIEW reached_crowd_lateness AS
SELECT trial, quantile_cont(lateMs, 0.99) AS crowdLateMs
FROM (
  SELECT trial, unnest(lateMs) AS lateMs
  FROM line.played JOIN own_reached_windows USING (trial, process)
  WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs < toMs
)
GROUP BY trial;

CREATE VIEW crowd_lateness AS FROM reached_crowd_lateness SEMI JOIN windows USING (trial);
