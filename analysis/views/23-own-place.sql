-- Rows: the user's own place, taken away. `thrown_cursors`: users whose cursors others' changes took elsewhere, one row each;
--       `torn_sigils`: trials in which sigils were torn as they were typed, though nobody typed near; `hit_sigils`: trials in
--       which others' edits broke more sigils than chance explains.
-- Units: `movedBy`: UTF-16 units, the farthest; all else counts.
-- Rule: a cursor stays beside the characters where it stood, whatever others do; a few jumps, or fewer than one in
--       `keys_per_jump()` keys of the user's, are none. Sigils count in the whole trial. One that is torn has no honest cause:
--       its keys went one behind the other, and nobody's edit came between or near. Edits of others hit a sigil by
--       chance as often as the text just beside it, so sigils that only those came near are the chance, less than which, four
--       standard deviations of a count included, is no finding. Where many users type in one place, that explains all.
--       Users of a recorded crowd have no screen, and are left out.
CREATE MACRO jumps_least() AS 5;
CREATE MACRO keys_per_jump() AS 100;
CREATE MACRO torn_sigils_least() AS 3;
CREATE MACRO hit_sigils_least() AS 5;
CREATE MACRO spoilt_sigils_share() AS 0.05;

CREATE VIEW thrown_cursors AS
SELECT trial, process, count(*)::DOUBLE AS jumps, max(abs(movedBy))::DOUBLE AS movedBy, any_value(performed) AS keys
FROM line.cursor AS line
  JOIN own_windows USING (trial, process)
  JOIN throughput USING (trial, process)
WHERE line.atMs + offsetMs >= fromMs AND line.atMs + offsetMs < toMs
GROUP BY trial, process
HAVING jumps >= jumps_least() AND jumps * keys_per_jump() > keys;

CREATE VIEW spoilt_sigils AS
SELECT
  trial,
  count(*)::DOUBLE AS sigils,
  count(*) FILTER (own.torn IS NOT NULL)::DOUBLE AS torn,
  count(*) FILTER (own.brokenAfterMs <= concurrent_edit_ms())::DOUBLE AS hit,
  count(*) FILTER (own.nearAfterMs <= concurrent_edit_ms() AND own.brokenAfterMs IS DISTINCT FROM own.nearAfterMs)::DOUBLE AS near
FROM (
  SELECT trial, process, unnest(sigils) AS own FROM line.own_sigils SEMI JOIN replicas USING (trial, process)
)
GROUP BY trial;

CREATE VIEW torn_sigils AS
FROM spoilt_sigils WHERE torn >= torn_sigils_least() AND torn > spoilt_sigils_share() * sigils;

CREATE VIEW hit_sigils AS
FROM spoilt_sigils
WHERE hit >= hit_sigils_least() AND hit - near - 4 * sqrt(near) > spoilt_sigils_share() * sigils;
