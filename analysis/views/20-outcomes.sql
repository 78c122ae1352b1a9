-- Rows: the course of a trial, as its coordinator saw it. `expected_processes`: the processes that must have left records,
--       one row each; `trial_failures`: failures that ended the trial before its time, one row each; of these,
--       `ended_servers`: servers that ended, `slow_failures`: all others that are the framework's, `harness_failures`: the rest;
--       `proofs`: the proof that all replicas and editors held one document in time (`reached`, `not-reached`, `not-compared`),
--       one row per trial that came so far; `whole_trials`: the trials that no failure ended early.
-- Units: ms since the epoch, on the coordinator's clock.
-- Rule: as the coordinator's record says. Too little time may be behind a slow failure, but ends no server.
CREATE TABLE expected_processes AS
SELECT
  trial,
  unnest(processes) AS process
FROM line.trial;

CREATE VIEW trial_failures AS
SELECT trial, atMs, code, message
FROM line.fault
WHERE code IS NOT NULL AND process::VARCHAR = 'coordinator';

CREATE VIEW ended_servers AS SELECT * FROM trial_failures WHERE code IN ('server-process', 'server-lost');
CREATE VIEW slow_failures AS
SELECT *
FROM trial_failures
WHERE list_contains(framework_failure_codes(), code) AND code NOT IN ('server-process', 'server-lost');

CREATE VIEW harness_failures AS SELECT * FROM trial_failures WHERE NOT list_contains(framework_failure_codes(), code);

CREATE VIEW proofs AS
SELECT trial, arg_max(proof, atMs) AS proof
FROM line.convergence
WHERE process::VARCHAR = 'coordinator'
GROUP BY trial;

CREATE VIEW whole_trials AS
SELECT trial FROM (SELECT unnest(enum_range(NULL::trial_name))::trial_name AS trial) ANTI JOIN trial_failures USING (trial);

-- Rows: faults of a trial's records, one row per finding. `missing_records`: expected ones that are not there, or
--       have no line of a type that their process must write; `foreign_versions`: records of a schema that this analysis
--       does not read; `unidentified_records`: records without the line that names their process or, of the
--       coordinator, their trial;
--       `unexpected_records`: users' records that the trial should not have; `windowless_trials`: trials that no fault
--       ended, and whose measured window has no end all the same.
-- Rule: of a trial that a fault ended early, no ends of records and no window are looked for. What is wrong with
--       single lines tells `malformed_lines` (analysis/views/definitions.ts).
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

-- Rows: `reconnections`: users whose connection to the server broke and came back, one row each; `page_errors`: users with
--       errors in their page that nothing there caught; `unknown_servers`: trials with a server of which nothing is known, and whether
--       somebody else runs it (`isAttached`).
-- Units: `times`, `errors`: how often.
-- Rule: errors are counted over the whole trial, with the first one's message. Nothing is known of a server that left no
--       record (a service outside, or a lost record), or none with instants that can be placed: its clock was never measured.
CREATE VIEW reconnections AS
SELECT trial, process, count(*)::INTEGER AS times FROM line.reconnected GROUP BY ALL;

CREATE VIEW page_errors AS
SELECT trial, process, max(errors) AS errors, arg_max(message, errors) AS message
FROM line.page_errors
GROUP BY ALL;

CREATE VIEW unknown_servers AS
SELECT trial, trials.document IS NOT NULL AS isAttached
FROM whole_trials
  LEFT JOIN trials USING (trial)
  ANTI JOIN (SELECT trial FROM processes JOIN clocks USING (trial, process) WHERE role = 'server') AS known USING (trial);

-- Rows: `left_documents`: trials that wrote into a document of a server that somebody else runs.
-- Rule: as the coordinator's record says.
CREATE VIEW left_documents AS
SELECT trial, document FROM trials WHERE document IS NOT NULL;

-- Rows: clocks that cannot be trusted, one row per finding. `uncertain_clocks`: users whose clock is not known within the
--       trial's limit; `contradicted_clocks`: processes whose clock the sigils contradict.
-- Units: ms; sigils.
-- Rule: a clock is contradicted if, of at least three sigils that its process received (or sent), more than half showed
--       on a screen before they were sent, by more than the clocks' measured errors allow. A sigil that its sender's own
--       screen showed too early, by one clock, says nothing of two.
CREATE VIEW uncertain_clocks AS
SELECT trial, process, errorMs, clockErrorLimitMs
FROM clocks JOIN processes USING (trial, process) JOIN trials USING (trial)
WHERE role = 'user' AND errorMs > clockErrorLimitMs;

CREATE VIEW contradicted_clocks AS
WITH between_users AS (
  SELECT trial, sender, receiver, removedBy
  FROM receipts ANTI JOIN (FROM sends WHERE premature) USING (trial, sigil)
  WHERE receiver <> sender
),
crossings AS (
  SELECT trial, receiver AS process, 'received' AS done, removedBy FROM between_users
  UNION ALL
  SELECT trial, sender, 'sent', removedBy FROM between_users
)
SELECT
  trial, process, done,
  (count(*) FILTER (removedBy = 'before sent'))::INTEGER AS early,
  count(*)::INTEGER AS receipts
FROM crossings
GROUP BY ALL
HAVING receipts >= 3 AND 2 * early > receipts;
