-- What: what makes a trial's records unusable, one row per finding: `process` and `problem`.
-- Units: none.
-- Rule: a line of no known type or without a field that its type must have; a record without its first line or of
--       another schema version; a user whose clock was never measured; a coordinator's record without the trial's
--       identity or without a whole measured window; fewer users' records than the trial has users; a clock that the
--       sigils contradict: of at least three that a process received (or sent), more than half showed on a screen
--       before they were sent, by more than the clocks' measured errors allow.
-- Source: results/formats/records.ts.
CREATE VIEW defects AS
WITH malformed AS (
  SELECT trial, process, coalesce(type, 'unknown') AS type, count(*) AS malformed
  FROM lines
  WHERE NOT coalesce(CASE type
    WHEN 'process' THEN schemaVersion IS NOT NULL AND role IS NOT NULL AND frameworkVersion IS NOT NULL
    WHEN 'clock' THEN atMs + offsetMs + errorMs IS NOT NULL
    WHEN 'sigil-sent' THEN sigil IS NOT NULL AND dueMs + sentMs IS NOT NULL
    WHEN 'long-task' THEN atMs + durationMs IS NOT NULL
    WHEN 'document' THEN atMs + characters IS NOT NULL
    WHEN 'network' THEN atMs + sentBytes + receivedBytes IS NOT NULL
    WHEN 'resources' THEN atMs + cpuMs + users IS NOT NULL AND "of" IS NOT NULL AND host IS NOT NULL
    WHEN 'settled' THEN atMs IS NOT NULL
    WHEN 'trial' THEN atMs + users IS NOT NULL
    WHEN 'phase' THEN atMs IS NOT NULL AND phase IS NOT NULL
    WHEN 'convergence' THEN atMs IS NOT NULL
    WHEN 'fault' THEN message IS NOT NULL
    WHEN 'reconnected' THEN atMs IS NOT NULL
  END, false)
  GROUP BY ALL
  UNION ALL
  SELECT trial, process, 'typing', count(*)
  FROM typing_lines
  WHERE atMs + offered + performed + skipped IS NULL OR lagMs IS NULL
  GROUP BY ALL
  UNION ALL
  SELECT trial, process, 'sigil-shown', count(*)
  FROM receipt_lines
  WHERE sigil IS NULL OR shownMs IS NULL
  GROUP BY ALL
),
records AS (
  SELECT DISTINCT trial, process FROM lines
),
identities AS (
  SELECT trial, max(users) FILTER (type = 'trial') AS users FROM lines GROUP BY trial
),
crossings AS (
  SELECT trial, receiver AS process, 'received' AS done, removedBy FROM receipts WHERE receiver <> sender
  UNION ALL
  SELECT trial, sender, 'sent', removedBy FROM receipts WHERE receiver <> sender
),
contradictions AS (
  SELECT
    trial, process, done,
    count(*) FILTER (removedBy = 'before sent') AS early,
    count(*) AS receipts
  FROM crossings
  GROUP BY ALL
  HAVING receipts >= 3 AND 2 * early > receipts
)
SELECT trial, process, malformed || ' malformed line(s) of type ' || type AS problem FROM malformed
UNION ALL
SELECT trial, process, 'no line of type process' FROM records ANTI JOIN processes USING (trial, process)
UNION ALL
SELECT trial, process, 'schema version ' || schemaVersion || ', but this analysis reads versions 1 and 2'
FROM processes
WHERE schemaVersion NOT IN (1, 2)
UNION ALL
SELECT trial, process, 'its clock was never measured' FROM processes ANTI JOIN clocks USING (trial, process)
WHERE role = 'user'
UNION ALL
SELECT trial, 'coordinator', 'no line of type trial' FROM identities WHERE users IS NULL
UNION ALL
SELECT trial, 'coordinator', 'no whole measured window: the trial ended before it' FROM identities ANTI JOIN windows USING (trial)
UNION ALL
SELECT trial, 'users', 'records of ' || count(role) FILTER (role = 'user') || ' users, but the trial had ' || identities.users
FROM identities LEFT JOIN processes USING (trial)
GROUP BY trial, identities.users
HAVING count(role) FILTER (role = 'user') <> identities.users
UNION ALL
SELECT trial, process,
  'the clocks disagree: ' || early || ' of ' || receipts || ' sigils that it ' || done
    || ' showed on a screen before they were sent, by more than the measured clock errors'
FROM contradictions;
