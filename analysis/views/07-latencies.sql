-- What: the latencies of the sigils of the measured window, one row per sigil and screen.
-- Units: ms. `localLatencyMs` and `responseTimeMs` are on the sender's own clock and need no correction;
--        `endToEndLatencyMs` is the difference of two clocks, both set to the coordinator's.
-- Rule: local latency: from sending the sigil's last key to its showing on the sender's own screen; response time: the
--       same from when the key was due; end-to-end latency: from sending to showing on another user's screen. Only what
--       the four filters left. A latency below zero, within the clocks' error, stays as it is.
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
SELECT trial, sender, receiver, sigil, shownCoordinatorMs - sentCoordinatorMs AS endToEndLatencyMs
FROM receipts
WHERE measured AND receiver <> sender AND removedBy IS NULL;
