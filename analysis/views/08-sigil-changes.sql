-- Rows: `sigil_changes`: the sigils that users deleted or formatted in the measured window, one row for each and each other
--       screen that showed the sigil; `change_figures`: how many there are, one row per trial.
-- Units: `latencyMs`: ms from performing the change to the first frame with it, between two clocks that are both set to the
--       coordinator's; null: it never showed. Changes (`deletions`, `formats`); screens (the others).
-- Rule: a sigil that others' edits took from a screen before, by more than the clocks can be wrong, is not there to be
--       changed. A format that others gave it before does not count, nor does one of a sigil whose user found it broken.
CREATE TABLE sigil_changes AS
WITH sent AS (
  SELECT DISTINCT ON (trial, sigil)
    trial, process AS sender, sigil, line.change, atMs + offsetMs AS sentCoordinatorMs, clocks.errorMs AS senderErrorMs
  FROM line.sigil_changed AS line JOIN clocks USING (trial, process) JOIN windows USING (trial)
  WHERE sentCoordinatorMs >= fromMs AND sentCoordinatorMs < toMs
  ORDER BY trial, sigil, atMs
),
shown AS (
  SELECT trial, sigil, process AS receiver, change AS shownChange, shownMs + offsetMs AS shownCoordinatorMs, errorMs
  FROM receipt_lines JOIN clocks USING (trial, process)
  WHERE type = 'sigil-change-shown'
),
seen AS (
  SELECT
    sent.*,
    receiver,
    shownCoordinatorMs - sentCoordinatorMs AS afterMs,
    shownCoordinatorMs < sentCoordinatorMs - senderErrorMs - errorMs AS isBefore,
    shownChange
  FROM sent
    JOIN (SELECT trial, sigil, receiver FROM receipts WHERE receiver <> sender AND removedBy IS NULL) USING (trial, sigil)
    ANTI JOIN (FROM arrivals WHERE broken) AS voted USING (trial, sigil)
    LEFT JOIN shown USING (trial, sigil, receiver)
)
SELECT trial, sender, receiver, sigil, change, min(afterMs) FILTER (shownChange = change AND NOT isBefore) AS latencyMs
FROM seen
GROUP BY ALL
HAVING NOT coalesce(bool_or(shownChange = 'deleted' AND isBefore), false);

CREATE VIEW change_figures AS
SELECT
  trial,
  count(DISTINCT sigil) FILTER (change = 'deleted')::DOUBLE AS deletions,
  count(*) FILTER (change = 'deleted')::DOUBLE AS deletionsExpected,
  count(*) FILTER (change = 'deleted' AND latencyMs <= soon_seen_ms())::DOUBLE AS deletionsSoon,
  count(DISTINCT sigil) FILTER (change = 'formatted')::DOUBLE AS formats,
  count(*) FILTER (change = 'formatted')::DOUBLE AS formatsExpected,
  count(*) FILTER (change = 'formatted' AND latencyMs <= soon_seen_ms())::DOUBLE AS formatsSoon
FROM sigil_changes
GROUP BY trial;
