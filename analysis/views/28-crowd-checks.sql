-- Rows: `unordered_crowds`: played crowds whose messages the server may have read in another order than that of sending,
--       with the server's lateness. Order matters to their framework.
-- Units: `lateMs`: ms.
-- Rule: a message that rests on another is sent no sooner than that has come back from a server that is in time. One that is
--       late reads whatever its sockets hold by then: `late_server_ms()`, be it once, from the first key on, until typing or the trial
--       ends: after that its own profile holds it up. A server that ended did so whatever the order.
CREATE VIEW unordered_crowds AS
WITH played AS (
  SELECT
    trial,
    min(fromMs) FILTER (phase IN ('warm-up', 'measure')) AS playedFromMs,
    coalesce(min(fromMs) FILTER (phase = 'settle'), min(failedMs), 'infinity'::DOUBLE) AS playedToMs
  FROM phases LEFT JOIN (SELECT trial, atMs AS failedMs FROM trial_failures) AS failures USING (trial)
  GROUP BY trial
)
SELECT trial, max(delay[2]) AS lateMs
FROM (
  SELECT trial, unnest(delays) AS delay
  FROM line.loop_delay
    SEMI JOIN (FROM processes WHERE role = 'server') USING (trial, process)
    JOIN clocks USING (trial, process)
    JOIN played USING (trial)
  WHERE atMs + offsetMs >= playedFromMs AND atMs + offsetMs <= playedToMs
)
  SEMI JOIN (FROM trials WHERE crowdRestsOnOrder) USING (trial)
  ANTI JOIN ended_servers USING (trial)
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

-- Rows: `crowded_trials`: trials in which not all users were live in the cell's mode, with the number of others, and of all,
--       and the parts of the library that were replaced for them (`patched`; null: none).
-- Units: users.
-- Rule: as the coordinator's record says.
CREATE VIEW crowded_trials AS
SELECT trial, crowd, crowdPatched AS patched, users - probes AS users, users AS ofAll FROM trials WHERE crowd IS NOT NULL;

-- Rows: `crowd_receipts`: the payload that each user of a recorded crowd, and each probe, got in the measured window, one row
--       each, as shares of what a user gets who is served; `ill_served_users`: users of the crowd who got less;
--       `unserved_users`: those of them who got as much fewer messages; `oddly_served_users`: all others of them.
-- Units: shares of 1.
-- Rule: every user gets all that the others send, so a user is served who gets as much as half of the crowd, or as half of
--       the probes, if that is more: of all edits where a server sends an author's own back to it, else of the others', as
--       some users type much more than others. The greater share counts, and one under `served_share()` is less. Typing
--       comes in bursts, so all are counted between the probes' first and last samples, which are the rarest; where those
--       are too close for a rate, in the whole window. If messages are missing, so are their bytes, in the same measure, within `alike_shares()`. If the two differ, the server gathers
--       messages for one user otherwise than for another, and nobody can tell if anything is missing.
CREATE MACRO served_share() AS 0.95;
CREATE MACRO alike_shares() AS 0.05;
-- Half the period of `played` lines, ms: the one nearest to a probe's sample is no further off.
CREATE MACRO nearest_line() AS 500;

-- Of a column of `received`: each user's part of what the median user gets.
CREATE MACRO share_of_median(amount, is_crowd, of_trial) AS
  amount / greatest(
    median(amount) FILTER (is_crowd) OVER (PARTITION BY of_trial),
    median(amount) FILTER (NOT is_crowd) OVER (PARTITION BY of_trial)
  );

CREATE TABLE crowd_receipts AS
WITH counted AS (
  SELECT trial, process, atMs + offsetMs AS atMs, windowMs, receivedBytes, receivedMessages, isCrowd
  FROM (
    SELECT trial, process, atMs, receivedBytes, receivedMessages, true AS isCrowd FROM line.played
    UNION ALL
    SELECT trial, process, atMs, receivedBytes, receivedMessages, false FROM line.network SEMI JOIN probes USING (trial, process)
  )
    JOIN own_windows USING (trial, process)
    SEMI JOIN (FROM trials WHERE crowd = 'recorded') AS recorded USING (trial)
  WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs <= toMs AND receivedMessages IS NOT NULL
),
sampled AS (
  SELECT trial, min(atMs) - nearest_line() AS firstMs, max(atMs) + nearest_line() AS lastMs
  FROM counted WHERE NOT isCrowd GROUP BY trial
  HAVING max(atMs) - min(atMs) >= least_span() * any_value(windowMs) + 2 * nearest_line()
),
rates AS (
  SELECT
    trial,
    process,
    isCrowd,
    rate_in_window(receivedBytes, 0, atMs, windowMs) AS bytes,
    rate_in_window(receivedMessages, 0, atMs, windowMs) AS messages
  FROM counted LEFT JOIN sampled USING (trial)
  WHERE atMs BETWEEN coalesce(firstMs, atMs) AND coalesce(lastMs, atMs)
  GROUP BY trial, process, isCrowd
),
received AS (
  SELECT rates.*, nullif(edits - coalesce(performed, 0), 0) AS othersEdits
  FROM rates
    LEFT JOIN throughput USING (trial, process)
    LEFT JOIN (SELECT trial, sum(performed) AS edits FROM throughput GROUP BY trial) USING (trial)
)
SELECT
  trial,
  process,
  isCrowd,
  greatest(share_of_median(bytes, isCrowd, trial), share_of_median(bytes / othersEdits, isCrowd, trial)) AS bytesShare,
  greatest(share_of_median(messages, isCrowd, trial), share_of_median(messages / othersEdits, isCrowd, trial)) AS messagesShare
FROM received;

CREATE VIEW ill_served_users AS
SELECT trial, process, bytesShare, messagesShare, abs(bytesShare - messagesShare) <= alike_shares() AS isAlike
FROM crowd_receipts
WHERE isCrowd AND bytesShare < served_share();

CREATE VIEW unserved_users AS FROM ill_served_users WHERE isAlike;
CREATE VIEW oddly_served_users AS FROM ill_served_users WHERE NOT isAlike;

-- Rows: `late_served_users`: users of a recorded crowd to whom others' edits come later than to the probes, one row each.
-- Units: ms.
-- Rule: while others send, something comes soon to a user who is served as the probes are. The longest wait of each second is
--       known to two read periods (0.1 s); the median of these waits leaves out a server that is held up now and then. It is held
--       against the time in which half of the crowd's markers came to the probes, from when they left. A server that is late to all
--       alike serves all alike, and so does one that holds everything back by the same time: such a stream has no waits.
CREATE MACRO later_served_ms() AS 500;
CREATE MACRO waits_least() AS 10;

CREATE VIEW late_served_users AS
SELECT trial, process, median(waitedMs) AS waitedMs, any_value(coalesce(probesMs, 0)) AS probesMs
FROM line.played
  JOIN own_windows USING (trial, process)
  LEFT JOIN (
    SELECT trial, median(lessBatchMs) AS probesMs FROM end_to_end_latencies WHERE fromCrowd GROUP BY trial
  ) USING (trial)
WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs < toMs AND played.waitedMs IS NOT NULL
GROUP BY trial, process
HAVING count(*) >= waits_least() AND median(played.waitedMs) > any_value(coalesce(probesMs, 0)) + later_served_ms();

-- Rows: `audiences`: trials with readers who are sockets, with their number and that of readers with a client; `ill_served_readers`:
--       those of them in which a reader got less than the others, with the least as a share of the mean. They are `unserved_readers`,
--       or `refused_readers` of a server that somebody else runs, which may have sent any of them away.
-- Units: readers; shares of 1.
-- Rule: from when typing began all get the same, so the one that got least must have as much of the mean as a user of a
--       recorded crowd. Where nothing came to any by the end, none was served.
CREATE VIEW audiences AS
SELECT trial, socketReaders::INTEGER AS sockets, clientReaders::INTEGER AS clients FROM trials WHERE socketReaders > 0;

CREATE VIEW ill_served_readers AS
SELECT trial, coalesce(leastBytes * readers / nullif(receivedBytes, 0), 0) AS leastShare, document IS NOT NULL AS isForeign
FROM (FROM line.readers QUALIFY row_number() OVER (PARTITION BY trial, process ORDER BY atMs DESC) = 1)
  JOIN trials USING (trial)
  LEFT JOIN (SELECT trial, process, true AS isHandedIn FROM last_settled) USING (trial, process)
WHERE leastBytes * readers < served_share() * receivedBytes OR (receivedBytes = 0 AND isHandedIn);

CREATE VIEW unserved_readers AS SELECT trial, leastShare FROM ill_served_readers WHERE NOT isForeign;
CREATE VIEW refused_readers AS SELECT trial, leastShare FROM ill_served_readers WHERE isForeign;
