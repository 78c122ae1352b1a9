-- What: `throughput`: edits that fell due and edits performed in the measured window, with the characters that they put in
--       (`insertedCharacters`) and the most that one of them put in or took out (`largestEdit`), one row per user;
--       `schedule_lags`: how late each performed edit was, one row per edit.
-- Units: edits; UTF-16 units, null where the record does not tell; `lagMs`: ms from when an edit was due to when it was sent.
-- Rule: a typing line tells of the edits that were due in one second, and `atMs` is the middle of that second; it counts
--       where its middle lies in the window. A user who had nothing to type (a watcher) has no row.
-- Source: `typing` lines.
CREATE VIEW typing_in_window AS
SELECT trial, process, offered, performed, skipped, sigilsSkipped, formats, insertedCharacters, largestEdit, lagMs
FROM typing_lines
  JOIN clocks USING (trial, process)
  JOIN windows USING (trial)
WHERE atMs + clocks.offsetMs >= windows.fromMs AND atMs + clocks.offsetMs < windows.toMs;

CREATE VIEW throughput AS
SELECT
  trial,
  process,
  sum(offered)::INTEGER AS offered,
  sum(performed)::INTEGER AS performed,
  sum(insertedCharacters)::DOUBLE AS insertedCharacters,
  max(largestEdit)::DOUBLE AS largestEdit
FROM typing_in_window
GROUP BY ALL
HAVING sum(offered) > 0;

CREATE VIEW schedule_lags AS SELECT trial, process, unnest(lagMs) AS lagMs FROM typing_in_window;
