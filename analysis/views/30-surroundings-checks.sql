-- Rows: what happened around a trial, one row per trial. `surrounded`: how long the coordinator's machine slept, by how much its
--       time of day was set, which other runs measured there, and whether the sources changed; of these, `slept_machines`,
--       `stepped_clocks`, `shared_machines` and `changed_sources` have the trials for which one of it holds.
-- Units: ms; `otherRuns`: numbers of processes.
-- Rule: nothing of a trial takes shorter notice than a second: clocks that count from the start do not know of either, and
--       their own difference is within the steps of the uptime, 10 ms.
CREATE VIEW surrounded AS
SELECT
  trial,
  arg_max(uptimeMs - atMs, atMs) - arg_min(uptimeMs - atMs, atMs) AS sleptMs,
  arg_max(wallMs - uptimeMs, atMs) - arg_min(wallMs - uptimeMs, atMs) AS steppedMs,
  list_sort(list_distinct(flatten(list(otherRuns)))) AS otherRuns,
  bool_and(isCodeOfRun::BOOLEAN) AS isOneCode
FROM line.surroundings
GROUP BY trial;

CREATE VIEW slept_machines AS SELECT trial, sleptMs FROM surrounded WHERE sleptMs > surroundings_limit_ms();
CREATE VIEW stepped_clocks AS SELECT trial, steppedMs FROM surrounded WHERE abs(steppedMs) > surroundings_limit_ms();
CREATE VIEW shared_machines AS SELECT trial, otherRuns FROM surrounded WHERE len(otherRuns) > 0;
CREATE VIEW changed_sources AS SELECT trial FROM surrounded WHERE NOT isOneCode;
