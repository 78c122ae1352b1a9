-- Rows: `company_figures`: what agents beside the users typed and what came to readers in the measured window, with the edits of
--       all, one row per trial.
-- Units: `agentCharactersPerSecond`: UTF-16 units, of all agents; `editsPerSecond`: edits of users, crowd and agents;
--        `readerReceivedKiBps`, `readerMessagesPerSecond`: WebSocket payload (KiB: 2^10 bytes) and messages, of a reader.
-- Rule: a line of an audience tells of all its readers together, so a reader's is the mean.
CREATE VIEW company_figures AS
WITH typed AS (
  SELECT
    trial,
    1000 * sum(performed) / any_value(toMs - fromMs) AS editsPerSecond,
    1000 * sum(insertedCharacters) FILTER (crowd = 'agent') / any_value(toMs - fromMs) AS agentCharactersPerSecond
  FROM throughput JOIN windows USING (trial) LEFT JOIN crowd_users USING (trial, process)
  GROUP BY trial
),
received AS (
  SELECT
    trial,
    rate_in_window(receivedBytes, 0, atMs, windowMs) / 1.024 / max(readers) AS readerReceivedKiBps,
    1000 * rate_in_window(receivedMessages, 0, atMs, windowMs) / max(readers) AS readerMessagesPerSecond
  FROM line.readers JOIN own_windows USING (trial, process)
  WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs <= toMs
  GROUP BY trial
)
SELECT * FROM typed FULL JOIN received USING (trial);
