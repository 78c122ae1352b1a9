-- Rows: the course of a trial, as its coordinator saw it. `expected_processes`: the processes that must have left records,
--       one row each; `trial_failures`: failures that ended the trial before its time, one row each; of these,
--       `framework_failures`: those that are the framework's, `harness_failures`: all others; `proofs`: the proof that all
--       replicas and editors held one document in time (`reached`, `not-reached`, `not-compared`), one row per trial that
--       came so far; `whole_trials`: the trials that no failure ended early.
-- Units: ms since the epoch, on the coordinator's clock.
-- Rule: as the coordinator's record says.
-- Source: the coordinator's record.
CREATE TABLE expected_processes AS
SELECT
  trial,
  unnest(processes) AS process
FROM line.trial;

CREATE VIEW trial_failures AS
SELECT trial, atMs, code, message
FROM line.fault
WHERE code IS NOT NULL AND process::VARCHAR = 'coordinator';

CREATE VIEW framework_failures AS SELECT * FROM trial_failures WHERE list_contains(framework_failure_codes(), code);
CREATE VIEW harness_failures AS SELECT * FROM trial_failures WHERE NOT list_contains(framework_failure_codes(), code);

CREATE VIEW proofs AS
SELECT trial, arg_max(proof, atMs) AS proof
FROM line.convergence
WHERE process::VARCHAR = 'coordinator'
GROUP BY trial;

CREATE VIEW whole_trials AS
SELECT trial FROM (SELECT unnest(enum_range(NULL::trial_name))::trial_name AS trial) ANTI JOIN trial_failures USING (trial);
