-- Rows: one row per sigil that a user typed; `fromCrowd`: that user is one of a crowd.
--       `premature`: the sender's own screen showed the sigil already when its last key was sent. Text that stood behind
--       the cursor completed it, or its keys the rest of an older sigil. A later showing is of text that moved.
--       `brokenWhileTyped`: premature, or not whole in its sender's own editor with its last key; `broken`: that, or
--       an edit broke it there within `concurrent_edit_ms()` (4 s), somebody else's or by chance the sender's own. Null if the sender's editor did not tell,
--       or if a recording says whole: the recording knows nothing of the probes, who may have broken the sigil.
--       `leftCoordinatorMs`: when the sender's client sent the first message after the sigil's last key, so that the batch in
--       which the sender gathers edits was over; null where nobody told.
-- Units: `dueMs`, `sentMs`: ms since the epoch on the sender's clock; `…CoordinatorMs`: on the coordinator's.
-- Rule: a sigil belongs to the measured window (`measured`) if its last key was sent within it, whenever the sigil shows.
--       Sigils are unique; of one that is recorded twice all the same, the first counts.
--       An edit by a user who could not have seen the sigil is back at the sender's in 4 s if all is seen in time (2 s
--       there, 2 s back). A later edit that breaks the sigil comes from a late system, and excuses nothing. The sender's
--       own edits hardly ever break it: where the trace's next move ends at an end of the document, its Backspace may.
CREATE VIEW own_sigils AS
SELECT trial, process, [each.sigil FOR each IN sigils IF each.torn IS NULL] AS whole, list_transform(
  list_filter(sigils, each -> least(each.brokenAfterMs, each.ownAfterMs) <= concurrent_edit_ms()), each -> each.sigil
) AS brokenLater
FROM line.own_sigils;

CREATE TABLE sends AS
WITH early AS (
  SELECT trial, process, sigil
  FROM receipt_lines JOIN line.sigil_sent AS line USING (trial, process, sigil)
  WHERE shownMs < line.atMs
  GROUP BY trial, process, sigil
  HAVING count(*) FILTER (type = 'sigil-shown') > count(*) FILTER (change = 'deleted')
)
SELECT DISTINCT ON (trial, sigil)
  trial,
  process AS sender,
  sigil,
  line.atMs - (line.sentMs - line.dueMs) AS dueMs,
  line.atMs AS sentMs,
  line.atMs + clocks.offsetMs AS sentCoordinatorMs,
  sentCoordinatorMs + (line.leftMs - line.sentMs) AS leftCoordinatorMs,
  clocks.errorMs AS senderErrorMs,
  early.sigil IS NOT NULL AS premature,
  premature OR NOT list_contains(whole, sigil) AS brokenWhileTyped,
  nullif(
    brokenWhileTyped OR list_contains(brokenLater, sigil),
    CASE WHEN crowd_users.crowd = 'recorded' THEN false END
  ) AS broken,
  crowd_users.crowd IS NOT NULL AS fromCrowd,
  coalesce(sentCoordinatorMs >= windows.fromMs AND sentCoordinatorMs < windows.toMs, false) AS measured
FROM line.sigil_sent AS line
  JOIN clocks USING (trial, process)
  LEFT JOIN crowd_users USING (trial, process)
  LEFT JOIN windows USING (trial)
  LEFT JOIN own_sigils USING (trial, process)
  LEFT JOIN early USING (trial, process, sigil)
ORDER BY trial, sigil, line.atMs;
