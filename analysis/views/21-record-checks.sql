-- What: what is wrong with a trial's records, one row per finding. `missing_records`: expected ones that are not there, or
--       have no line of a type that their process must write; `malformed_lines`; `foreign_versions`: records of a schema
--       that this analysis does not read; `unidentified_records`: what is not said of whom or of what it is the record;
--       `unexpected_records`: users' records that the trial should not have; `windowless_trials`: trials that no fault
--       ended, and whose measured window has no end all the same.
-- Units: none.
-- Rule: of a trial that a fault ended early, no ends of records and no window are looked for. Malformed is a line of no
--       known type, or without a field that its type must have.
-- Source: results/formats/records.ts.
CREATE VIEW missing_records AS
WITH wanted AS (
  SELECT trial, process, unnest(CASE WHEN process LIKE 'user-%' THEN ['process', 'clock', 'settled'] ELSE ['process'] END) AS type
  FROM expected_processes SEMI JOIN whole_trials USING (trial)
),
written AS (
  SELECT DISTINCT trial, process::VARCHAR AS process, type FROM lines
)
SELECT trial, process, list(type ORDER BY list_position(['process', 'clock', 'settled'], type)) AS missing
FROM wanted ANTI JOIN written USING (trial, process, type)
GROUP BY trial, process;

CREATE VIEW malformed_lines AS
SELECT trial, process, coalesce(type, 'unknown') AS type, count(*)::INTEGER AS malformed
FROM lines
WHERE NOT coalesce(CASE type
  WHEN 'process' THEN schemaVersion IS NOT NULL AND role IS NOT NULL AND frameworkVersion IS NOT NULL
  WHEN 'clock' THEN atMs + offsetMs + errorMs IS NOT NULL
  WHEN 'played' THEN atMs + len(lateMs) IS NOT NULL
  WHEN 'replay' THEN atMs IS NOT NULL AND coalesce(modelDigest, problem) IS NOT NULL
  WHEN 'sigil-sent' THEN sigil IS NOT NULL AND dueMs + sentMs IS NOT NULL
  WHEN 'long-task' THEN atMs + durationMs IS NOT NULL
  WHEN 'document' THEN atMs + characters IS NOT NULL
  WHEN 'network' THEN atMs + sentBytes + receivedBytes IS NOT NULL
  WHEN 'resources' THEN atMs + cpuMs + users IS NOT NULL AND "of" IS NOT NULL AND host IS NOT NULL
  WHEN 'settled' THEN atMs IS NOT NULL
  WHEN 'account' THEN takenCharacters + deletedOfOthersCharacters + claimedCharacters + claimedHash + documentHash IS NOT NULL
  WHEN 'own-sigils' THEN atMs + len(sigils) IS NOT NULL
  WHEN 'copies' THEN atMs IS NOT NULL
  WHEN 'trial' THEN atMs + users IS NOT NULL
  WHEN 'phase' THEN atMs IS NOT NULL AND phase IS NOT NULL
  WHEN 'convergence' THEN atMs IS NOT NULL AND proof IS NOT NULL
  WHEN 'fault' THEN message IS NOT NULL
  WHEN 'reconnected' THEN atMs IS NOT NULL
  WHEN 'key-latency' THEN atMs + keys + len(slowMs) + len(slowInteractionMs) IS NOT NULL
  WHEN 'loop-delay' THEN atMs + len(delays) IS NOT NULL
  WHEN 'delay-line' THEN atMs + len(delays) IS NOT NULL
  WHEN 'withheld' THEN atMs + cores IS NOT NULL
  WHEN 'page-memory' THEN atMs + heapBytes IS NOT NULL
  WHEN 'compression' THEN atMs + sentBytes + deflatedSentBytes + receivedBytes + deflatedReceivedBytes IS NOT NULL
  WHEN 'page-errors' THEN atMs + errors IS NOT NULL AND message IS NOT NULL
END, false)
GROUP BY ALL
UNION ALL
SELECT trial, process, 'typing', count(*)::INTEGER
FROM typing_lines
WHERE atMs + offered + performed + skipped IS NULL OR lagMs IS NULL
GROUP BY ALL
UNION ALL
SELECT trial, process, 'sigil-shown', count(*)::INTEGER
FROM receipt_lines
WHERE sigil IS NULL OR shownMs IS NULL
GROUP BY ALL;

CREATE VIEW foreign_versions AS
SELECT trial, process, schemaVersion
FROM processes
WHERE NOT list_contains(readable_versions(), schemaVersion);

CREATE VIEW unidentified_records AS
WITH unnamed AS (
  SELECT DISTINCT trial, process::VARCHAR AS process FROM lines ANTI JOIN processes USING (trial, process)
)
SELECT trial, process, 'process' AS missing FROM unnamed ANTI JOIN missing_records USING (trial, process)
UNION ALL
SELECT DISTINCT trial, 'coordinator', 'trial' FROM lines ANTI JOIN trials USING (trial);

CREATE VIEW unexpected_records AS
SELECT trial, process
FROM (SELECT trial, process::VARCHAR AS process FROM processes WHERE role = 'user')
  SEMI JOIN trials USING (trial)
  ANTI JOIN expected_processes USING (trial, process);

CREATE VIEW windowless_trials AS
SELECT trial FROM whole_trials ANTI JOIN windows USING (trial);
