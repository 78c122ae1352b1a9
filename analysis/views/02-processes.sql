-- What: one row per process of a trial: its role (`user`, `server`, `coordinator`), a user's number, what it ran.
-- Units: none.
-- Rule: the first line of a record, type `process`.
-- Source: results/records.ts.
CREATE VIEW processes AS
SELECT trial, process, role, "user", framework, frameworkVersion, mode, schemaVersion
FROM lines
WHERE type = 'process';
