-- Rows: `unseen_cursors`: users on whose screen in the end were fewer others' cursors than there were others, one row each.
-- Units: users.
-- Rule: of each user the last `cursors-seen` line counts; without one, the user took no part in presence.
-- Source: `cursors-seen` lines; `trials`.
CREATE VIEW unseen_cursors AS
SELECT trial, process, others::INTEGER AS seen, users - 1 AS ofOthers
FROM (FROM line.cursors_seen QUALIFY row_number() OVER (PARTITION BY trial, process ORDER BY atMs DESC) = 1)
  JOIN trials USING (trial)
WHERE others < users - 1;
