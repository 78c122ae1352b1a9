-- Rows: edits that did not take effect. `swallowed_edits`: users whose editor took fewer characters than were typed, as
--       when it loses the focus: keys that the browser acknowledged, but the editor never got; `invented_edits`: users whose
--       editor took more of them than were typed; `lost_edits`: trials whose shortest document holds less than it must,
--       by at least `lostCharacters`.
-- Units: characters (UTF-16 units, as Quill counts).
-- Rule: a conservation law: a document holds at least what all users put in less what all took out, and the first "\n".
--       (Not exactly as much, because two users may delete the same character.) Where one user's counts are not known,
--       nothing can be said. In no editor here does a key put in more than its own character, so what is above that the
--       framework passed off as the user's.
-- Source: `settled` lines.
CREATE VIEW swallowed_edits AS
SELECT trial, process, typedCharacters::DOUBLE AS typedCharacters, insertedCharacters::DOUBLE AS insertedCharacters
FROM settled_users
WHERE insertedCharacters < typedCharacters;

CREATE VIEW invented_edits AS
SELECT trial, process, typedCharacters::DOUBLE AS typedCharacters, insertedCharacters::DOUBLE AS insertedCharacters
FROM settled_users
WHERE insertedCharacters > typedCharacters;

CREATE VIEW lost_edits AS
SELECT
  trial,
  sum(insertedCharacters)::DOUBLE AS insertedCharacters,
  sum(deletedCharacters)::DOUBLE AS deletedCharacters,
  min(characters)::DOUBLE AS shortestCharacters,
  1 + sum(insertedCharacters)::DOUBLE - sum(deletedCharacters)::DOUBLE - min(characters)::DOUBLE AS lostCharacters
FROM last_settled
GROUP BY trial
HAVING lostCharacters > 0 AND count(insertedCharacters) = count(*) AND count(deletedCharacters) = count(*);
