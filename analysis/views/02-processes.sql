-- Rows: one row per process of a trial: its role (`user`, `server`, `coordinator`), a user's number, the software it ran, the
--       least that the user's link adds each way, the shortest TCP handshake with a server of others, how long its client is to gather its
--       messages, and by how much its page is slowed down.
-- Units: `leastDelayMs`, `handshakeMs`, `sendMs`: ms; `cpuSlowdown`: times, null if it is not.
-- Rule: the first line of a record, type `process`.
CREATE TABLE processes AS
SELECT
  trial, process, role, "user", framework, frameworkVersion, mode, chrome, schemaVersion, leastDelayMs, handshakeMs, sendMs,
  cpuSlowdown
FROM line.process;

-- Rows: one row per trial: its cell, its number in the cell (from 1), its subject, the number of users who type (`writers`),
--       and `clockErrorLimitMs`: a user's clock must be known within that limit. If not all users are live, also the number
--       of those who are (`probes`), and the kind of the others (`crowd`: `recorded` or `live`; `crowdRestsOnOrder`; `crowdPatched`).
--       `document`: its name at a server that somebody else runs; null: the trial has its own server. Beside the users: the
--       number of `agents`, of readers with a client (`clientReaders`) and of readers who are sockets (`socketReaders`). Behind them: the
--       `store`, null if documents are in memory alone, and the number of `servers`.
-- Units: `clockErrorLimitMs`: ms.
-- Rule: the coordinator's line of type `trial`. Null `probes`: all users are. What the line does not tell of is not there.
CREATE TABLE trials AS
SELECT
  trial, cell, framework, mode, users, number, seed, writers, probes, crowd, crowdRestsOnOrder, crowdPatched, document,
  coalesce(agents, 0) AS agents, coalesce(clientReaders, 0) AS clientReaders, coalesce(socketReaders, 0) AS socketReaders,
  store, coalesce(servers, 1) AS servers, affinity, clockErrorLimitMs
FROM line.trial;

-- Rows: `crowd_users`: the users whose screen nobody sees, as they only keep the server and the probes busy, one row each,
--       with what each is (`crowd`: `recorded`, `live`, `agent`, `reader`, or `audience` for all readers who are sockets);
--       `probes`: all other users, on whom latencies and the cost of a page are measured; `replicas`: the users who hold
--       a document: all but those of a recorded crowd, and sockets.
-- Rule: the first `probes` users of a trial are live; without a crowd all are probes. Agents, readers with a client and the
--       audience have the numbers after the users', in this order.
CREATE TABLE crowd_users AS
SELECT
  trial,
  process,
  CASE
    WHEN "user" < users THEN crowd
    WHEN "user" < users + agents THEN 'agent'
    WHEN "user" < users + agents + clientReaders THEN 'reader'
    ELSE 'audience'
  END AS crowd
FROM processes JOIN trials USING (trial)
WHERE role = 'user' AND "user" >= coalesce(probes, users);

CREATE TABLE probes AS
SELECT trial, process FROM processes ANTI JOIN crowd_users USING (trial, process) WHERE role = 'user';

CREATE TABLE replicas AS
SELECT trial, process
FROM processes ANTI JOIN (FROM crowd_users WHERE crowd IN ('recorded', 'audience')) AS others USING (trial, process)
WHERE role = 'user';

-- Rows: one row per trial: the number of its probes' records.
-- Units: users.
-- Rule: without a crowd, all users are probes.
CREATE TABLE user_counts AS
SELECT trial, count(*) AS users FROM probes GROUP BY trial;
