-- Rows: the latencies of the sigils of the measured window, one row per sigil and screen.
-- Units: ms. `localLatencyMs` and `responseTimeMs` are on the sender's own clock and need no correction;
--        `endToEndLatencyMs` is the difference of two clocks, both set to the coordinator's.
-- Rule: local latency: from sending the sigil's last key to its showing on the sender's own screen; response time: the
--       same from when the key was due; end-to-end latency: from sending to showing on another user's screen. Only what
--       the filters left, and on others' screens of no sigil that they voted broken (07-arrivals.sql). Less the batch: from when the sender's client sent it instead; null where nobody told. A latency below zero, within the clocks' error, stays as it is.
-- Source: Weidner et al. 2023, section 7; response time: Schroeder, Wierman and Harchol-Balter 2006, "Open versus
--       closed: a cautionary tale", for why a late start is part of what the user waits for.
CREATE VIEW own_latencies AS
SELECT
  trial,
  sender,
  sigil,
  receipts.shownMs - sends.sentMs AS localLatencyMs,
  receipts.shownMs - sends.dueMs AS responseTimeMs
FROM receipts JOIN sends USING (trial, sigil, sender, measured)
WHERE measured AND receiver = sender AND removedBy IS NULL;

CREATE VIEW end_to_end_latencies AS
SELECT
  trial,
  sender,
  receiver,
  sigil,
  shownCoordinatorMs - sentCoordinatorMs AS endToEndLatencyMs,
  shownCoordinatorMs - leftCoordinatorMs AS lessBatchMs,
  fromCrowd
FROM receipts ANTI JOIN (FROM arrivals WHERE broken) AS voted USING (trial, sigil)
WHERE measured AND receiver <> sender AND removedBy IS NULL;

-- Rows: the users' keys of the measured window, with the time that each took to show, as the browser timed it, one row each
--       (`key_latencies`), and every key's slowest event, down, input or up (`key_interactions`).
-- Units: ms; by the browser in steps of 8 ms.
-- Rule: from the event to the frame after its handlers, so a binding that works for long in a key's event shows, and one
--       that works later does not. The browser reports no event under 16 ms: a key of which it reports none counts as
--       16 ms. A stretch of about 2 s counts if its middle lies in the window.
--       The browser may report a key a stretch after it counted it, so the fast ones are counted over the window.
-- Source: W3C, "Event Timing API"; web.dev, "Interaction to Next Paint".
CREATE VIEW timed_keys AS
SELECT
  trial, process, sum(keys)::BIGINT AS keys,
  flatten(list(slowMs)) AS slowMs, flatten(list(slowInteractionMs)) AS slowInteractionMs
FROM line.key_latency JOIN own_windows USING (trial, process)
WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs < toMs
GROUP BY trial, process;

CREATE MACRO fastest_reported_ms() AS 16;
CREATE MACRO with_fast(slow, keys) AS list_resize(slow, greatest(len(slow), keys), fastest_reported_ms()::DOUBLE);

CREATE VIEW key_latencies AS SELECT trial, process, unnest(with_fast(slowMs, keys)) AS keyLatencyMs FROM timed_keys;

CREATE VIEW key_interactions AS
SELECT trial, process, unnest(with_fast(slowInteractionMs, keys)) AS interactionToNextPaintMs FROM timed_keys;
