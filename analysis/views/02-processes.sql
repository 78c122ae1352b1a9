-- What: one row per process of a trial: its role (`user`, `server`, `coordinator`), a user's number, what it ran.
-- Units: none.
-- Rule: the first line of a record, type `process`.
-- Source: results/formats/records.ts.
CREATE VIEW processes AS
SELECT trial, process, role, "user", framework, frameworkVersion, mode, chrome, schemaVersion
FROM lines
WHERE type = 'process';

-- What: one row per trial: its cell, its number in the cell (from 1), and what it is a trial of.
-- Units: none.
-- Rule: the coordinator's line of type `trial`.
-- Source: results/formats/records.ts.
CREATE VIEW trials AS
SELECT trial, cell, framework, mode, users, number, seed
FROM lines
WHERE type = 'trial';
