-- Rows: `phases`: the beginning and the end of each phase of a trial; `windows`: the measured window, and the beginning of
--       typing.
-- Units: ms since the epoch, on the coordinator's clock.
-- Rule: a phase ends where the next begins. The measured window is the phase `measure`; a trial that never reached the
--       phase after it has no window. An instant belongs to the window if fromMs <= instant < toMs
--       (counters alone also at toMs: 10-resources.sql).
-- Source: the coordinator's record.
CREATE TABLE phases AS
SELECT
  trial, present_phase(phase) AS phase, atMs AS fromMs,
  lead(atMs) OVER (PARTITION BY trial ORDER BY atMs, phase_number(phase)) AS toMs
FROM line.phase;

CREATE TABLE windows AS
SELECT
  trial,
  min(fromMs) FILTER (phase = 'measure') AS fromMs,
  min(toMs) FILTER (phase = 'measure') AS toMs,
  min(fromMs) FILTER (phase IN ('warm-up', 'measure')) AS typingFromMs
FROM phases
GROUP BY trial
HAVING count(toMs) FILTER (phase = 'measure') > 0;

-- Rows: `asked_faults`: the faults that the experiment asked for in a trial, with their times, one row each; `fault_users`:
--       the users whom each fault struck, one row per user.
-- Units: ms since the epoch, on the coordinator's clock; `toMs`: null if the fault did not end; `fault` counts from 0.
-- Rule: without a list of users, all are struck.
-- Source: the coordinator's `asked-fault` lines.
CREATE TABLE asked_faults AS
SELECT DISTINCT ON (trial, fault) trial, fault::INTEGER AS fault, kind, users AS struck, beganMs AS fromMs, endedMs AS toMs
FROM line.asked_fault
WHERE process::VARCHAR = 'coordinator'
ORDER BY trial, fault, endedMs NULLS LAST;

CREATE TABLE fault_users AS
SELECT trial, fault, process
FROM asked_faults JOIN processes USING (trial)
WHERE role = 'user' AND (len(struck) = 0 OR list_contains(struck, "user"));
