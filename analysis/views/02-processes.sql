-- What: one row per process of a trial: its role (`user`, `server`, `coordinator`), a user's number, what it ran.
-- Units: none.
-- Rule: the first line of a record, type `process`.
-- Source: results/formats/records.ts.
CREATE VIEW processes AS
SELECT trial, process, role, "user", framework, frameworkVersion, mode, chrome, schemaVersion
FROM lines
WHERE type = 'process';

-- What: one row per trial: its cell, its number in the cell (from 1), what it is a trial of, how many of its users type
--       (`writers`), and within what a user's clock must be known for the trial to count.
-- Units: `clockErrorLimitMs`: ms.
-- Rule: the coordinator's line of type `trial`. In version 1 it has neither `writers` nor the limit: they are null.
-- Source: results/formats/records.ts.
CREATE VIEW trials AS
SELECT trial, cell, framework, mode, users, number, seed, writers, clockErrorLimitMs
FROM lines
WHERE type = 'trial';

-- What: one row per trial: how many users' records it has.
-- Units: users.
-- Rule: a process whose role is `user`.
-- Source: `processes`.
CREATE VIEW user_counts AS
SELECT trial, count(*) AS users FROM processes WHERE role = 'user' GROUP BY trial;
