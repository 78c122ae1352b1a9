-- Rows: faults of a trial's records, one row per finding. `missing_records`: expected ones that are not there, or
--       have no line of a type that their process must write; `foreign_versions`: records of a schema that this analysis
--       does not read; `unidentified_records`: records without the line that names their process or, of the
--       coordinator, their trial;
--       `unexpected_records`: users' records that the trial should not have; `windowless_trials`: trials that no fault
--       ended, and whose measured window has no end all the same.
-- Units: none.
-- Rule: of a trial that a fault ended early, no ends of records and no window are looked for. What is wrong with
--       single lines tells `malformed_lines` (analysis/views/definitions.ts).
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

CREATE VIEW foreign_versions AS
SELECT trial, process, schemaVersion
FROM processes
WHERE schemaVersion <> schema_version();

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
