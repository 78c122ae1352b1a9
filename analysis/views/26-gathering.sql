-- Rows: clients that gather otherwise than they are asked to, so that their latencies hold less than others', one row each.
--       `ungathered_receivers`: probes to whose editors others' changes came apart within one receive period; `ungathered_senders`:
--       probes that sent several messages in the time of one batch.
-- Units: receive periods; messages per second.
-- Rule: a client that waits for the ends of receive periods makes all of a batch's changes together, however late the batch is.
--       One that waits for nothing does so too if little comes: of twelve edits a second, in periods of 50 ms, a quarter of
--       the periods tells. Where cursors are told, too, a batch is two messages, and a third is an answer to the server.
CREATE MACRO apart_periods_least() AS 5;
CREATE MACRO apart_periods_share() AS 0.05;
CREATE MACRO messages_of_batch() AS 3;

CREATE VIEW ungathered_receivers AS
SELECT trial, process, receivePeriods AS periods, receivePeriodsApart AS apart
FROM accounts SEMI JOIN probes USING (trial, process)
WHERE apart >= apart_periods_least() AND apart > apart_periods_share() * periods;

CREATE VIEW ungathered_senders AS
SELECT trial, process, messagesPerSecond, 1000 / sendMs AS batchesPerSecond
FROM (
  SELECT trial, process, 1000 * rate_in_window(sentMessages, 0, atMs, windowMs) AS messagesPerSecond
  FROM line.network JOIN own_windows USING (trial, process) SEMI JOIN probes USING (trial, process)
  WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs <= toMs
  GROUP BY trial, process
)
  JOIN processes USING (trial, process)
WHERE sendMs > 0 AND messagesPerSecond > messages_of_batch() * batchesPerSecond;
