-- What: how each process's clock stands against the coordinator's: coordinator's time = own time + offsetMs ± errorMs.
-- Units: ms.
-- Rule: the measurement with the least error counts (of equals, the first). Its bound is its own error, or how far any
--       other measurement of the trial says that the clock moved, whichever is greater; a measurement says that the
--       clock moved only as far as its own error cannot explain the difference. Drift is bounded so, not corrected.
--       A process that measured nothing has no row, so none of its instants can be placed.
-- Source: Cristian 1989, "Probabilistic clock synchronization": half the round trip bounds a reading's error, and the
--       reading with the shortest round trip is the best.
CREATE TABLE clocks AS
WITH best AS (
  SELECT trial, process, arg_min(offsetMs, (errorMs, atMs)) AS offsetMs, min(errorMs) AS ownErrorMs
  FROM lines
  WHERE type = 'clock'
  GROUP BY ALL
)
SELECT
  trial,
  process,
  best.offsetMs,
  greatest(best.ownErrorMs, max(abs(measured.offsetMs - best.offsetMs) - measured.errorMs)) AS errorMs
FROM best JOIN lines AS measured USING (trial, process)
WHERE measured.type = 'clock'
GROUP BY trial, process, best.offsetMs, best.ownErrorMs
UNION ALL
SELECT trial, process, 0, 0 FROM processes WHERE role = 'coordinator';
