-- Rows: clocks that cannot be trusted, one row per finding. `uncertain_clocks`: users whose clock is not known within the
--       trial's limit; `contradicted_clocks`: processes whose clock the sigils contradict.
-- Units: ms; sigils.
-- Rule: a clock is contradicted if, of at least three sigils that its process received (or sent), more than half showed
--       on a screen before they were sent, by more than the clocks' measured errors allow. A sigil that its sender's own
--       screen showed too early, by one clock, says nothing of two.
-- Source: `clocks`, `receipts`, `sends`.
CREATE VIEW uncertain_clocks AS
SELECT trial, process, errorMs, clockErrorLimitMs
FROM clocks JOIN processes USING (trial, process) JOIN trials USING (trial)
WHERE role = 'user' AND errorMs > clockErrorLimitMs;

CREATE VIEW contradicted_clocks AS
WITH between_users AS (
  SELECT trial, sender, receiver, removedBy
  FROM receipts ANTI JOIN (FROM sends WHERE premature) USING (trial, sigil)
  WHERE receiver <> sender
),
crossings AS (
  SELECT trial, receiver AS process, 'received' AS done, removedBy FROM between_users
  UNION ALL
  SELECT trial, sender, 'sent', removedBy FROM between_users
)
SELECT
  trial, process, done,
  (count(*) FILTER (removedBy = 'before sent'))::INTEGER AS early,
  count(*)::INTEGER AS receipts
FROM crossings
GROUP BY ALL
HAVING receipts >= 3 AND 2 * early > receipts;
