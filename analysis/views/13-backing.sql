-- Rows: `user_servers`: users of trials with several servers, one row each, with the number of the server that each is at;
--       `server_latencies`: end-to-end latencies of such trials, one row per sigil and screen; `server_senders`: how many sigils were
--       seen at the same server (`sigilsSeenSameServer`) and at others (`sigilsSeenOtherServer`), one row per trial.
-- Units: ms; sigils.
-- Rule: user n is at server n % servers, from 0, or all are at server 0, as the trial's line says. Who is no user types no sigil, and
--       nobody sees such a screen.
CREATE VIEW user_servers AS
SELECT trial, process, CASE affinity WHEN 'document' THEN 0 ELSE "user" % servers END AS server
FROM processes JOIN trials USING (trial)
WHERE servers > 1 AND "user" < users;

CREATE TABLE server_latencies AS
SELECT latencies.trial, sigil, endToEndLatencyMs, typist.server = reader.server AS isSameServer
FROM end_to_end_latencies AS latencies
  JOIN user_servers AS typist ON typist.trial = latencies.trial AND typist.process = sender
  JOIN user_servers AS reader ON reader.trial = latencies.trial AND reader.process = receiver;

CREATE VIEW server_senders AS
SELECT
  trial,
  count(DISTINCT sigil) FILTER (isSameServer)::DOUBLE AS sigilsSeenSameServer,
  count(DISTINCT sigil) FILTER (NOT isSameServer)::DOUBLE AS sigilsSeenOtherServer
FROM server_latencies
GROUP BY trial;

-- Rows: `backing_rates`: by how much each counter of a store, of several servers and of their broker rose in the measured window, one row
--       per trial and counter, and of servers (`counter` = `serverCpuMs`) per `server`, from 1; `reached_rates`: also of trials that
--       failed before the window's end, for checks alone.
-- Units: `perMs`: bytes, or ms of CPU, per ms.
-- Rule: counters are cumulative, as in `resource_use`, also over restarts, and known if their samples lie far enough apart. Bytes that a
--       server wrote are all that it wrote less what it gave its sockets, some of which is still queued, so they may fall for a moment.
CREATE TABLE reached_rates AS
WITH told AS (
  SELECT trial, process, atMs, NULL::BIGINT AS server, unnest([
    {counter: 'storeCpuMs', total: cpuMs},
    {counter: 'storeWrittenBytes', total: writtenBytes::DOUBLE},
    {counter: 'serverWrittenBytes', total: serverWrittenBytes::DOUBLE}
  ], recursive := true)
  FROM line.store
  UNION ALL
  SELECT trial, process, atMs, generate_subscripts(cpuMs, 1), 'serverCpuMs', unnest(cpuMs) FROM line.servers
  UNION ALL
  SELECT trial, process, atMs, NULL, 'brokerCpuMs', brokerCpuMs FROM line.servers
  UNION ALL
  SELECT trial, process, atMs, NULL, 'linksCpuMs', linksCpuMs FROM line.servers
)
SELECT trial, counter, server, rate_in_window(total, 0, atMs, windowMs) AS perMs
FROM told JOIN own_reached_windows USING (trial, process)
WHERE total IS NOT NULL AND atMs + offsetMs >= fromMs AND atMs + offsetMs <= toMs
GROUP BY trial, counter, server;

CREATE VIEW backing_rates AS FROM reached_rates SEMI JOIN windows USING (trial);

-- Rows: `busiest_servers`: the part of the busiest server in the CPU of all, one row per trial.
-- Units: 1 = all.
-- Rule: of one server all; of several, known if all servers' CPU is.
CREATE VIEW busiest_servers AS
SELECT
  trial, CASE WHEN servers = 1 THEN 1 WHEN count(perMs) >= servers THEN max(perMs) / nullif(sum(perMs), 0) END AS share
FROM trials LEFT JOIN (FROM reached_rates WHERE counter = 'serverCpuMs') AS of_servers USING (trial)
GROUP BY trial, servers;

-- Rows: `store_sizes`: the store's files as the record ends (`sizeBytes`), how much they grew since typing began (`grownBytes`), and its
--       program's memory in the measured window, one row per trial with a store; `typed_characters`: what all put in since then.
-- Units: bytes; MiB; UTF-16 units.
-- Rule: growth is from the last look before typing began, or else from the first; what an empty store takes drops out. It is below zero if
--       the store tidied up. Null characters: a played crowd's are not known.
CREATE VIEW store_sizes AS
SELECT
  trial,
  arg_max(sizeBytes, atMs) AS sizeBytes,
  arg_max(sizeBytes, atMs) - coalesce(
    arg_max(sizeBytes, atMs) FILTER (atMs + offsetMs <= typingFromMs), arg_min(sizeBytes, atMs)
  ) AS grownBytes,
  avg(memoryBytes) FILTER (atMs + offsetMs >= fromMs AND atMs + offsetMs <= toMs) / 1048576 AS storeMemoryMiB
FROM line.store JOIN clocks USING (trial, process) JOIN windows USING (trial)
GROUP BY trial;

CREATE VIEW typed_characters AS
SELECT trial, CASE WHEN bool_and(insertedCharacters IS NOT NULL) THEN nullif(sum(insertedCharacters), 0)::DOUBLE END AS characters
FROM typing_lines
WHERE performed > 0
GROUP BY trial;

-- Rows: `backing_figures`: the cost of a store and of several servers, one row per trial that has such.
-- Units: percent of one core, but for `busiestServerCpuPercent`: of the CPU of all servers; MiB; KiB; bytes for each edit of all users,
--        crowd and agents; bytes for each UTF-16 unit that they put in.
-- Rule: bytes written and CPU are of the measured window, size and growth of the whole trial. A store that is a part of the server has no
--       CPU of its own, and what it writes, the server writes; a server beside a program keeps no files, and nobody counts them.
CREATE VIEW backing_figures AS
WITH rates AS (
  SELECT
    trial,
    any_value(perMs) FILTER (counter = 'storeCpuMs') AS storeCpu,
    any_value(perMs) FILTER (counter = 'brokerCpuMs') AS brokerCpu,
    any_value(perMs) FILTER (counter = 'storeWrittenBytes') AS storeWritten,
    -- Bytes that a socket was given count as sent at once, so one who writes little may seem to write less than nothing.
    any_value(greatest(perMs, 0)) FILTER (counter = 'serverWrittenBytes' AND perMs IS NOT NULL) AS serverWritten,
    CASE WHEN storeCpu IS NULL THEN serverWritten ELSE coalesce(serverWritten, 0) + storeWritten END AS allWritten
  FROM backing_rates
  GROUP BY trial
),
typed AS (
  SELECT
    trial,
    any_value(toMs - fromMs) AS windowMs,
    nullif(sum(performed), 0) AS edits,
    CASE WHEN bool_and(insertedCharacters IS NOT NULL) THEN nullif(sum(insertedCharacters), 0) END AS windowCharacters
  FROM throughput JOIN windows USING (trial)
  GROUP BY trial
)
SELECT
  trial,
  100 * storeCpu AS storeCpuPercent,
  storeMemoryMiB,
  sizeBytes / 1024 AS storeSizeKiB,
  grownBytes / characters AS storeGrowthBytesPerCharacter,
  serverWritten * windowMs / edits AS serverWrittenBytesPerEdit,
  storeWritten * windowMs / edits AS storeWrittenBytesPerEdit,
  allWritten * windowMs / windowCharacters AS writtenBytesPerCharacter,
  CASE WHEN servers > 1 THEN 100 * share END AS busiestServerCpuPercent,
  100 * brokerCpu AS brokerCpuPercent,
  server_senders.* EXCLUDE (trial)
FROM (FROM trials WHERE store IS NOT NULL OR servers > 1) AS backed
  LEFT JOIN (FROM busiest_servers SEMI JOIN windows USING (trial)) AS busiest USING (trial)
  LEFT JOIN rates USING (trial)
  LEFT JOIN typed USING (trial)
  LEFT JOIN store_sizes USING (trial)
  LEFT JOIN typed_characters USING (trial)
  LEFT JOIN server_senders USING (trial);
