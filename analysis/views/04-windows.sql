-- What: `phases`: when each phase of a trial began and ended; `windows`: the measured window, and when typing began.
-- Units: ms since the epoch, on the coordinator's clock.
-- Rule: a phase ends where the next begins. The measured window is the phase `measure`; a trial that never reached the
--       phase after it has no window. An instant belongs to it where fromMs <= instant < toMs
--       (counters alone also at toMs: 10-resources.sql).
-- Source: the coordinator's record.
CREATE TABLE phases AS
SELECT trial, phase, atMs AS fromMs, lead(atMs) OVER (PARTITION BY trial ORDER BY atMs, phase_number(phase)) AS toMs
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
