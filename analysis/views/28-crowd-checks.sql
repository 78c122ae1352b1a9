-- Rows: `unordered_crowds`: played crowds whose messages the server may have read in another order than that of sending,
--       with the server's lateness. Order matters to their framework.
-- Units: `lateMs`: ms.
-- Rule: a message that rests on another is sent no sooner than that has come back from a server that is in time. One that is
--       late reads whatever its sockets hold by then: `late_server_ms()`, be it once, from the first key on. A server that ended
--       did so whatever the order.
-- Source: `loop-delay` lines of the server, `trials`, `framework_failures`.
CREATE VIEW unordered_crowds AS
SELECT trial, max(delay[2]) AS lateMs
FROM (
  SELECT trial, unnest(delays) AS delay
  FROM line.loop_delay
    SEMI JOIN (FROM processes WHERE role = 'server') USING (trial, process)
    JOIN clocks USING (trial, process)
    JOIN windows USING (trial)
  WHERE atMs + offsetMs >= typingFromMs
)
  SEMI JOIN (FROM trials WHERE crowdRestsOnOrder) USING (trial)
  ANTI JOIN (FROM framework_failures WHERE code IN ('server-process', 'server-lost')) USING (trial)
GROUP BY trial
HAVING lateMs >= late_server_ms();

-- Rows: replays, which show that the document holds every edit of a recorded crowd and of the probes. `unlike_replays`:
--       probes with another document than the one that results if all that users sent is played, in another order, to a
--       server of its own; `missing_replays`: trials of which that document is not known.
-- Units: SHA-256 digests.
-- Rule: what users sent is the recording, and what the probes' clients gave to their WebSockets. The order differs, so what a
--       server or a client lost in the trial by its order or its load is not lost again. Probes that did not agree, or not in
--       time, are told of elsewhere: once they agreed and rested, slowness excuses nothing. A replay that fails is the
--       harness's. A trial that a fault ended early had nothing to replay.
-- Source: the coordinator's `replay` line, `settled` lines.
CREATE VIEW unlike_replays AS
SELECT trial, settled_users.process
FROM (SELECT trial, modelDigest AS replayDigest FROM line.replay WHERE modelDigest IS NOT NULL)
  JOIN settled_users USING (trial)
  SEMI JOIN (FROM proofs WHERE proof = 'reached') AS reached USING (trial)
WHERE modelDigest IS DISTINCT FROM replayDigest;

CREATE VIEW missing_replays AS
SELECT trial, replays.problem
FROM whole_trials
  JOIN trials USING (trial)
  LEFT JOIN (SELECT trial, problem, modelDigest FROM line.replay) AS replays USING (trial)
WHERE crowd = 'recorded' AND replays.modelDigest IS NULL;

-- Rows: `crowded_trials`: trials in which not all users were live in the cell's mode, with the number of others, and of all.
-- Units: users.
-- Rule: as the coordinator's record says.
-- Source: `trials`.
CREATE VIEW crowded_trials AS
SELECT trial, crowd, users - probes AS users, users AS ofAll FROM trials WHERE crowd IS NOT NULL;
