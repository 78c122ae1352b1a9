-- Rows: `text_samples`: the share of each user who types in the document, as the user's editor has it with the first own key of
--       each second, one row each; `text_ages`: how old the newest text of others is that a probe's editor shows, one row per
--       sample; `text_figures`: the samples, and those that were in time, one row per trial.
-- Units: ms since the epoch, on the coordinator's clock; characters; `ageMs`: ms.
-- Rule: a sample is of the measured window. What all users have is what each should show. An editor that holds so many characters of others is as
--       old as the last instant at which the others together had no more than that in their own editors (on a grid of 0.2 s, straight
--       lines between samples). A sample comes with the first own key a second after the one before it, so what a user typed between two
--       of them was typed within a second of the first. While others' text shrinks, one character too few would look as old as
--       the last time that there were as few: then `text_slack()` is allowed. Characters that are deleted count for nobody once the author knows
--       of it, so nothing adds up in the course of a trial. Text that did not grow is never old. An age of over 10 s is not
--       looked for. Only a trial counts in which two or more type, all of them sampled: a recorded crowd has no editors, and an
--       agent's share leaps.
-- Source: this project.
CREATE MACRO text_step_ms() AS 200;
CREATE MACRO oldest_text_ms() AS 10000;
-- TEXT_SAMPLE_MS of editors/base/instrument/ledger.ts.
CREATE MACRO text_sample_ms() AS 1000;
-- Of each author, whose share between two samples is known to so few characters.
CREATE MACRO text_slack() AS 2;

CREATE TABLE text_samples AS
SELECT
  told.trial, told.process, sample[1] + drifted(line.driftMs, line.rate, line.atMs, sample[1]) + clocks.offsetMs AS atMs,
  sample[2] AS own, sample[3] AS others
FROM (SELECT trial, process, unnest(samples) AS sample FROM line.text_samples) AS told
  SEMI JOIN (
    SELECT trial, process FROM processes JOIN trials USING (trial) WHERE "user" < coalesce(writers, users)
  ) AS typists USING (trial, process)
  JOIN clocks USING (trial, process)
  LEFT JOIN clock_lines AS line
    ON line.trial = told.trial AND line.process = told.process AND sample[1] >= line.fromMs AND sample[1] < line.toMs;

CREATE TABLE text_ages AS
WITH looked AS (
  SELECT trial, fromMs, toMs, count(DISTINCT process) AS users
  FROM text_samples JOIN windows USING (trial) JOIN trials USING (trial)
  WHERE agents = 0
  GROUP BY trial, fromMs, toMs, writers, trials.users
  HAVING count(DISTINCT process) = coalesce(writers, trials.users) AND count(DISTINCT process) > 1
),
points AS (
  SELECT trial, process, atMs, own FROM text_samples
  UNION ALL
  SELECT trial, process, atMs + text_sample_ms() AS atMs, nextOwn AS own
  FROM (
    SELECT *, lead(atMs) OVER later AS nextMs, lead(own) OVER later AS nextOwn
    FROM text_samples
    WINDOW later AS (PARTITION BY trial, process ORDER BY atMs)
  )
  WHERE atMs + text_sample_ms() < nextMs
  UNION ALL
  SELECT
    trial,
    process,
    unnest([least(fromMs - 2 * oldest_text_ms(), min(atMs) - 1), greatest(toMs + oldest_text_ms(), max(atMs) + 1)]) AS atMs,
    unnest([min_by(own, atMs), max_by(own, atMs)]) AS own
  FROM text_samples JOIN looked USING (trial)
  GROUP BY trial, process, fromMs, toMs
),
spans AS (
  SELECT
    trial,
    process,
    users,
    atMs,
    nextMs,
    own,
    nextOwn,
    greatest(atMs, fromMs - 2 * oldest_text_ms()) AS drawnFromMs,
    least(nextMs, toMs + oldest_text_ms()) AS drawnToMs
  FROM (
    SELECT *, lead(atMs) OVER later AS nextMs, lead(own) OVER later AS nextOwn
    FROM points
    WINDOW later AS (PARTITION BY trial, process ORDER BY atMs)
  ) JOIN looked USING (trial)
),
curves AS (
  SELECT trial, process, users, step, own + (nextOwn - own) * (step * text_step_ms() - atMs) / (nextMs - atMs) AS own
  FROM (
    SELECT
      *,
      unnest(range(ceil(drawnFromMs / text_step_ms())::BIGINT, ceil(drawnToMs / text_step_ms())::BIGINT)) AS step
    FROM spans
    WHERE drawnToMs > drawnFromMs
  )
),
totals AS (
  SELECT trial, process, users, step, sum(own) OVER (PARTITION BY trial, step) - own AS had
  FROM curves
  QUALIFY count(*) OVER (PARTITION BY trial, step) = users
),
rest AS (
  SELECT
    trial,
    process,
    step * text_step_ms() AS atMs,
    had,
    CASE WHEN had < lag(had, (text_sample_ms() // text_step_ms())::INTEGER) OVER (PARTITION BY trial, process ORDER BY step)
      THEN text_slack() * (users - 1) ELSE 0
    END AS slack
  FROM totals
)
SELECT
  trial,
  process,
  text_samples.atMs,
  coalesce(text_samples.atMs - max(rest.atMs) FILTER (had - slack <= others), oldest_text_ms()) AS ageMs
FROM text_samples
  SEMI JOIN probes USING (trial, process)
  JOIN windows USING (trial)
  JOIN rest USING (trial, process)
WHERE text_samples.atMs >= fromMs AND text_samples.atMs < toMs
  AND rest.atMs <= text_samples.atMs AND rest.atMs > text_samples.atMs - oldest_text_ms()
GROUP BY trial, process, text_samples.atMs;

CREATE VIEW text_figures AS
SELECT
  trial,
  count(*)::DOUBLE AS textSamples,
  count(*) FILTER (ageMs <= soon_seen_ms())::DOUBLE AS textsInTime,
  quantile_cont(ageMs, 0.5) AS textAgeMs
FROM text_ages
GROUP BY trial;
