-- Rows: `phases`: the beginning and the end of each phase of a trial; `windows`: the measured window, and the beginning and the
--       end of typing; `reached_windows`: the window or, of a trial that a failure ended before its end, the part that it reached.
-- Units: ms since the epoch, on the coordinator's clock.
-- Rule: a phase ends where the next begins. The measured window is the phase `measure`; a trial that never reached the
--       phase after it has no window. Typing begins with the warm-up and ends where settling begins. An instant belongs to the
--       window if fromMs <= instant < toMs (counters alone also at toMs: 10-resources.sql). A trial that failed in the warm-up,
--       or before there was a handful of samples in the window, reached the warm-up: checks of machine and harness hold there too, or
--       nothing could excuse such a failure. No figure does.
CREATE MACRO least_reached_ms() AS 5000;
CREATE TABLE phases AS
SELECT
  trial, phase, atMs AS fromMs,
  lead(atMs) OVER (PARTITION BY trial ORDER BY atMs, phase_number(phase)) AS toMs
FROM line.phase;

CREATE TABLE windows AS
SELECT
  trial,
  min(fromMs) FILTER (phase = 'measure') AS fromMs,
  min(toMs) FILTER (phase = 'measure') AS toMs,
  min(fromMs) FILTER (phase IN ('warm-up', 'measure')) AS typingFromMs,
  coalesce(min(fromMs) FILTER (phase = 'settle'), max(toMs) FILTER (phase IN ('measure', 'profile'))) AS typingToMs
FROM phases
GROUP BY trial
HAVING count(toMs) FILTER (phase = 'measure') > 0;

CREATE TABLE reached_windows AS
WITH begun AS (
  SELECT trial, min(fromMs) FILTER (phase = 'measure') AS measureMs, min(fromMs) FILTER (phase = 'warm-up') AS warmUpMs
  FROM phases ANTI JOIN windows USING (trial)
  GROUP BY trial
),
failed AS (
  SELECT trial, min(atMs) AS failedMs
  FROM line.fault
  WHERE code IS NOT NULL AND process::VARCHAR = 'coordinator'
  GROUP BY trial
)
SELECT trial, fromMs, toMs FROM windows
UNION ALL
SELECT trial, CASE WHEN failedMs - measureMs >= least_reached_ms() THEN measureMs ELSE warmUpMs END AS beganMs, failedMs
FROM begun JOIN failed USING (trial)
WHERE failedMs > beganMs;

-- Rows: `clocks`: the offset of each process's clock from the coordinator's, one row per process: coordinator's time =
--       own time + offsetMs ± errorMs. For that, the clock's drift is taken out of all instants, so that from here on one
--       offset holds for the whole record. `receipt_lines` and `typing_lines` are the lines of sigils shown and of typing
--       after that; `change`: what became of a sigil that had come (`type` = `sigil-change-shown`).
-- Units: ms; rates in ms per ms.
-- Rule: between two measurements a clock's offset is a straight line; before the first and after the last it stays. Its
--       uncertainty grows with the time to the next measurement: by `wander_rate` between two, as their line already
--       holds the clock's drift, and by `drift_rate` outside. A measurement is left out if others tell
--       more: one alone, worsened by its drift until then, or one on each side, worsened by their wander. (So a poor
--       measurement, taken while the page was busy, spoils nothing.) A measurement left out still counts as a witness: if
--       it says that the clock stood elsewhere by more than its own error, the bound is at least that difference.
--       If two neighbours differ by more than clocks drift (`drift_rate`) and both errors allow, the clock jumped
--       between them, nobody knows when, and no straight line holds: the whole step is added to the bound.
--       errorMs holds throughout the measured window (without one: throughout the record): the greatest of the errors of
--       the measurements around it, with half of their distance in wander, or with the whole distance to the window's end
--       in drift. A process that measured nothing has no row, so none of its instants can be placed. Durations within a
--       process change by its clock's drift alone, a tenth of a per mille at most.
--       The rates: analysis/views/definitions.ts.
-- Source: Cristian 1989, "Probabilistic clock synchronization": half the round trip bounds a reading's error.

CREATE TABLE clock_measurements AS
WITH measured AS (
  SELECT DISTINCT ON (trial, process, atMs) trial, process, atMs, offsetMs, errorMs
  FROM line.clock
  ORDER BY trial, process, atMs, errorMs
),
others AS (
  SELECT
    *,
    coalesce(min(errorMs - wander_rate() * atMs) OVER before + wander_rate() * atMs, 'inf'::DOUBLE) AS wanderedBeforeMs,
    coalesce(min(errorMs + wander_rate() * atMs) OVER later - wander_rate() * atMs, 'inf'::DOUBLE) AS wanderedLaterMs,
    coalesce(min(errorMs - drift_rate() * atMs) OVER before + drift_rate() * atMs, 'inf'::DOUBLE) AS driftedBeforeMs,
    coalesce(min(errorMs + drift_rate() * atMs) OVER later - drift_rate() * atMs, 'inf'::DOUBLE) AS driftedLaterMs
  FROM measured
  WINDOW
    before AS (PARTITION BY trial, process ORDER BY atMs ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
    later AS (PARTITION BY trial, process ORDER BY atMs ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
)
SELECT
  trial,
  process,
  atMs,
  offsetMs,
  errorMs,
  errorMs <= least(greatest(wanderedBeforeMs, wanderedLaterMs), driftedBeforeMs, driftedLaterMs) AS tellsMost
FROM others;

-- One row per straight line: from `fromMs` on, offset = offsetMs + rate * (instant - atMs), which is `driftMs` more than
-- the offset of the best measurement where instant = atMs. The first line reaches back to before anything was measured,
-- the last on to the end; these two are level, and have no `nextErrorMs`.
CREATE TABLE clock_lines AS
WITH points AS (
  SELECT
    trial,
    process,
    atMs,
    offsetMs,
    errorMs,
    lead(atMs) OVER following AS toMs,
    lead(offsetMs) OVER following AS nextOffsetMs,
    lead(errorMs) OVER following AS nextErrorMs
  FROM clock_measurements
  WHERE tellsMost
  WINDOW following AS (PARTITION BY trial, process ORDER BY atMs)
),
best AS (
  SELECT trial, process, arg_min(offsetMs, (errorMs, atMs)) AS bestOffsetMs
  FROM points
  GROUP BY ALL
),
stretches AS (
  SELECT
    trial,
    process,
    atMs AS fromMs,
    coalesce(toMs, 'inf'::DOUBLE) AS toMs,
    atMs,
    offsetMs,
    coalesce((nextOffsetMs - offsetMs) / (toMs - atMs), 0) AS rate,
    errorMs,
    nextErrorMs
  FROM points
  UNION ALL
  SELECT
    trial, process, '-inf'::DOUBLE, min(atMs), min(atMs), arg_min(offsetMs, atMs), 0, arg_min(errorMs, atMs), NULL
  FROM points
  GROUP BY trial, process
)
SELECT *, offsetMs - bestOffsetMs AS driftMs
FROM stretches JOIN best USING (trial, process);

CREATE TABLE clocks AS
WITH placed AS (
  SELECT clock_lines.*, windows.fromMs - offsetMs AS windowFromMs, windows.toMs - offsetMs AS windowToMs
  FROM clock_lines LEFT JOIN windows USING (trial)
),
bounds AS (
  SELECT
    trial,
    process,
    CASE
      WHEN nextErrorMs IS NOT NULL THEN
        greatest(errorMs, nextErrorMs) + wander_rate() * (toMs - fromMs) / 2
        + CASE WHEN abs(rate) * (toMs - fromMs) > drift_rate() * (toMs - fromMs) + errorMs + nextErrorMs
            THEN abs(rate) * (toMs - fromMs) ELSE 0 END
      -- Without a window, nothing reaches beyond the measurements.
      WHEN windowFromMs IS NULL THEN errorMs
      WHEN isfinite(toMs) THEN errorMs + drift_rate() * (toMs - windowFromMs)
      ELSE errorMs + drift_rate() * (windowToMs - fromMs)
    END AS errorMs
  FROM placed
  WHERE windowFromMs IS NULL OR (fromMs < windowToMs AND toMs > windowFromMs)
  UNION ALL
  SELECT
    witness.trial,
    witness.process,
    abs(witness.offsetMs - line.offsetMs - line.rate * (witness.atMs - line.atMs)) - witness.errorMs
  FROM clock_measurements AS witness ASOF JOIN clock_lines AS line
    ON line.trial = witness.trial AND line.process = witness.process AND line.fromMs <= witness.atMs
)
SELECT trial, process, bestOffsetMs AS offsetMs, max(bounds.errorMs) AS errorMs
FROM clock_lines JOIN bounds USING (trial, process)
GROUP BY ALL
UNION ALL
SELECT trial, process, 0, 0 FROM processes WHERE role = 'coordinator';

-- The measured window, and each process's clock; the second with what a trial that failed reached of its window.
CREATE VIEW own_windows AS
SELECT trial, process, offsetMs, fromMs, toMs, toMs - fromMs AS windowMs FROM clocks JOIN windows USING (trial);

CREATE VIEW own_reached_windows AS
SELECT trial, process, offsetMs, fromMs, toMs, toMs - fromMs AS windowMs FROM clocks JOIN reached_windows USING (trial);

-- Drift of a clock at an instant of its own, ms. The coordinator's has no lines, and does not drift against itself.
CREATE MACRO drifted(driftMs, rate, atMs, instantMs) AS coalesce(driftMs + rate * (instantMs - atMs), 0);

CREATE TYPE receipt_type AS ENUM ('sigil-shown', 'sigil-change-shown');

-- Each instant lies in one line of its process's clock. Joined by ranges: an ASOF join would sort every receipt, which
-- takes 70 MiB more in a large trial.
CREATE TABLE receipt_lines AS
SELECT told.* REPLACE (
  TRY_CAST(told.type AS receipt_type) AS type,
  shownMs + drifted(line.driftMs, line.rate, line.atMs, shownMs) AS shownMs
)
FROM (
    SELECT
      trial,
      process,
      unnest(json_transform(json, '{"type": "VARCHAR", "sigil": "VARCHAR", "shownMs": "DOUBLE", "change": "VARCHAR"}')),
      (strlen(json) + 1)::UINTEGER AS bytes
    FROM read_lines()
    WHERE type IN ('sigil-shown', 'sigil-change-shown')
  ) AS told
  LEFT JOIN clock_lines AS line
    ON line.trial = told.trial AND line.process = told.process
      AND told.shownMs >= line.fromMs AND told.shownMs < line.toMs;

UPDATE lines SET atMs = lines.atMs + drifted(line.driftMs, line.rate, line.atMs, lines.atMs)
FROM clock_lines AS line
WHERE line.trial = lines.trial AND line.process = lines.process
  AND lines.atMs >= line.fromMs AND lines.atMs < line.toMs;

CREATE TABLE typing_lines AS FROM line.typing;

-- Rows: the number of bytes read of each record, unpacked, one row per file.
-- Units: bytes.
-- Rule: as written, with the end of each line.
CREATE TABLE record_sizes AS
WITH found AS (
  SELECT trial, process, bytes FROM receipt_lines
  UNION ALL
  SELECT trial, process, strlen(json) + 1 FROM lines
)
SELECT file AS path, coalesce(sum(bytes), 0)::DOUBLE AS bytes
FROM glob(getvariable('record_files'))
  LEFT JOIN found ON trial = trial_of(file)::trial_name AND process = process_of(file)::process_name
GROUP BY file;

-- Nothing else reads files.
DROP MACRO TABLE read_lines;

-- Rows: `asked_faults`: the faults that the experiment asked for in a trial, with their times, one row each; `fault_users`:
--       the users whom each fault struck, one row per user.
-- Units: ms since the epoch, on the coordinator's clock; `toMs`: null if the fault did not end; `fault` counts from 0.
-- Rule: without a list of users, all are struck. Agents and readers are no users here, though the list may have their numbers.
CREATE TABLE asked_faults AS
SELECT DISTINCT ON (trial, fault) trial, fault::INTEGER AS fault, kind, users AS struck, beganMs AS fromMs, endedMs AS toMs
FROM line.asked_fault
WHERE process::VARCHAR = 'coordinator'
ORDER BY trial, fault, endedMs NULLS LAST;

CREATE TABLE fault_users AS
SELECT trial, fault, process
FROM asked_faults JOIN processes USING (trial) JOIN trials USING (trial)
WHERE role = 'user' AND "user" < users AND (len(struck) = 0 OR list_contains(struck, "user"));
