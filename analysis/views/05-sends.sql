-- What: one row per sigil that a user typed.
-- Units: `dueMs`, `sentMs`: ms since the epoch on the sender's clock; `sentCoordinatorMs`: on the coordinator's.
-- Rule: a sigil belongs to the measured window (`measured`) where its last key was sent within it, whenever it shows.
--       Sigils are unique; of one that is recorded twice all the same, the first counts.
-- Source: `sigil-sent` lines.
CREATE TABLE sends AS
SELECT DISTINCT ON (trial, sigil)
  trial,
  process AS sender,
  sigil,
  dueMs,
  sentMs,
  sentMs + clocks.offsetMs AS sentCoordinatorMs,
  clocks.errorMs AS senderErrorMs,
  coalesce(sentCoordinatorMs >= windows.fromMs AND sentCoordinatorMs < windows.toMs, false) AS measured
FROM lines
  JOIN clocks USING (trial, process)
  LEFT JOIN windows USING (trial)
WHERE type = 'sigil-sent'
ORDER BY trial, sigil, sentMs;
