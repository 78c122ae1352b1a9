-- Rows: `arrived`: the counts of the measured window's sigils and of their receipts, one row per trial.
-- Units: sigils; receipts, for `expected`, `arrived` and `soon`.
-- Rule: `sent` sigils, of which concurrent edits broke `broken`; each of the others is expected on every other screen, and
--       `soon` counts those that were there in time. Of
--       the broken ones, `unmeasured` are left out on the own screen too, as their sender's editor said. At least one other screen showed `seen` of those that are whole.
CREATE VIEW arrived AS
SELECT
  trial,
  count(*)::INTEGER AS sent,
  count(*) FILTER (broken)::INTEGER AS broken,
  count(*) FILTER (unmeasured)::INTEGER AS unmeasured,
  coalesce(sum(others) FILTER (NOT broken), 0)::INTEGER AS expected,
  coalesce(sum(arrivals.arrived) FILTER (NOT broken), 0)::INTEGER AS arrived,
  coalesce(sum(arrivals.soon) FILTER (NOT broken), 0)::INTEGER AS soon,
  (count(*) FILTER (arrivals.arrived > 0 AND NOT broken))::INTEGER AS seen
FROM arrivals
GROUP BY trial;

-- Rows: `sigils_in_time`: the number of sigils seen in time, of all that fell due in the measured window, one row per trial;
--       on the own screen, of those that probes had to type.
-- Units: sigils (`offeredSigils`, `prompt`; `sigilsForOthers`, the crowd's too); receipts (`expectedSoon`, `soon`).
-- Rule: coordinated omission: a sigil that was given up because the page lagged behind is later than any that was typed. So
--       it is offered, and expected on every other screen, and in time nowhere. So is a sigil that was typed and never
--       showed, on the own screen or on others', except sigils that concurrent edits broke (if only the screens tell of
--       that, the exception holds on others' alone). A typed sigil belongs to the window if it was sent there; one that was
--       given up, if it was due there.
-- Source: Tene 2013, "How NOT to measure latency", for the omission.
CREATE VIEW sigils_in_time AS
WITH given_up AS (
  SELECT trial, sum(sigilsSkipped) AS skipped
  FROM typing_in_window SEMI JOIN probes USING (trial, process)
  GROUP BY trial
),
typed AS (
  SELECT trial, count(*) AS sent FROM arrivals WHERE NOT (fromCrowd OR unmeasured) GROUP BY trial
),
own AS (
  SELECT trial, count(*) FILTER (responseTimeMs <= prompt_response_ms()) AS prompt FROM own_latencies GROUP BY trial
)
SELECT
  trial,
  coalesce(typed.sent, 0) + skipped AS offeredSigils,
  coalesce(prompt, 0) AS prompt,
  coalesce(arrived.sent - broken, 0) + skipped AS sigilsForOthers,
  coalesce(expected, 0) + skipped * (users - 1) AS expectedSoon,
  coalesce(soon, 0) AS soon
FROM given_up
  JOIN user_counts USING (trial)
  LEFT JOIN arrived USING (trial)
  LEFT JOIN typed USING (trial)
  LEFT JOIN own USING (trial);

-- Rows: `keys_in_time`: a lower bound on the number of the probes' edits that were on the own screen in time, one row per
--       trial with keys that the browser timed. It counts all edits that fell due in the measured window.
-- Units: edits (`keysDue`, `promptKeys`).
-- Rule: how late an edit was sent and how long a key then took to show are known apart, not together. One that was sent at
--       most so late, and took at most the rest of the bound, was in time; so of each split of the bound, those that
--       broke neither part are as many as there are at least, and the best of nine splits is taken. An edit that was never
--       typed is late, and so is one of a trial that tells no lateness of any.
--       It stands in if the sigils are too few for `sigils_in_time`.
CREATE MACRO tenths_of_bound(ms) AS ceil(10 * ms / prompt_response_ms());

CREATE VIEW keys_in_time AS
WITH splits AS (SELECT unnest(range(1, 10)) AS tenths),
due AS (
  SELECT trial, sum(offered) AS keysDue, sum(performed) AS typed FROM throughput WHERE NOT isCrowd GROUP BY trial
),
sent AS (SELECT trial, tenths_of_bound(lagMs) AS took, count(*) AS edits FROM schedule_lags GROUP BY ALL),
sent_late AS (
  SELECT trial, tenths, coalesce(sum(edits) FILTER (took > tenths), 0) AS edits FROM sent CROSS JOIN splits GROUP BY ALL
),
shown AS (SELECT trial, tenths_of_bound(keyLatencyMs) AS took, count(*) AS keys FROM key_latencies GROUP BY ALL),
shown_late AS (
  SELECT trial, tenths, coalesce(sum(keys) FILTER (took > 10 - tenths), 0) / sum(keys) AS part
  FROM shown CROSS JOIN splits
  GROUP BY ALL
)
SELECT
  trial,
  any_value(keysDue) AS keysDue,
  greatest(0, max(typed - coalesce(sent_late.edits, typed) - typed * shown_late.part)) AS promptKeys
FROM due JOIN shown_late USING (trial) LEFT JOIN sent_late USING (trial, tenths)
GROUP BY trial;

-- Rows: `long_tasks`: the tasks of 50 ms or longer of a page's main thread; `long_task_shares`: the share of the measured window
--       that it spent in them, one row per user whose editor runs in Chrome.
-- Units: ms since the epoch, on the coordinator's clock; percent of time.
-- Rule: a task that reaches over an edge of the window counts with what lies within. Chrome reports no task under
--       50 ms. A user outside Chrome has no row: there it is not measured. Rounded to six decimals, as the last bits of a
--       sum depend on the order in which cores add.
-- Source: W3C, "Long Tasks API". One of the metrics of Weidner et al. 2023, section 7.
CREATE VIEW long_tasks AS
SELECT trial, process, atMs + offsetMs AS taskFromMs, atMs + offsetMs + durationMs AS taskToMs
FROM line.long_task JOIN clocks USING (trial, process);

-- The part of a stretch that lies between two instants; 0 if there is no such stretch.
CREATE MACRO ms_within(stretch_from, stretch_to, from_ms, to_ms) AS
  CASE WHEN stretch_from < to_ms AND stretch_to > from_ms
    THEN least(stretch_to, to_ms) - greatest(stretch_from, from_ms) ELSE 0
  END;

CREATE VIEW long_task_shares AS
SELECT
  trial,
  process,
  round(100 * sum(ms_within(taskFromMs, taskToMs, fromMs, toMs)) / any_value(toMs - fromMs), 6) AS longTaskPercent
FROM processes
  JOIN windows USING (trial)
  LEFT JOIN long_tasks USING (trial, process)
WHERE role = 'user' AND chrome IS NOT NULL
GROUP BY trial, process;
