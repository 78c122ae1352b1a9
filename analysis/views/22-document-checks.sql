-- Rows: agreement of all users on one document in the end, on the screen too. `settled_users`: each user's document, one
--       row each; then one row per finding: `different_documents`: every user of a trial whose users hold different ones;
--       `different_texts`: trials whose users' editors hold different texts, so that lengths and claims are not of one text;
--       `unsettled_trials`: no document differs, but the proof was not made in time; `uncompared_trials`: the proof could
--       neither be made nor refuted, one row per user whose document could not be seen (or one without a user);
--       `unlike_editors`: users whose editor differs from its model; `unlike_screens`: users whose screen shows other text
--       than their editor holds; `closed_models`: users whose model is not open to inspection.
-- Units: SHA-256 digests.
-- Rule: of each user the last `settled` line counts. `comparedDigest` tells whether two users hold one document: that of
--       the model or, if the model is not open, of the text that the screen shows. Missing digests are no difference,
--       but the others must agree all the same. A trial that a fault ended early had nothing to prove yet.
--       Users of a recorded crowd, and sockets, hold no document; `last_settled` has their counts all the same.
CREATE TABLE last_settled AS
SELECT DISTINCT ON (trial, process) *, coalesce(modelDigest, screenTextDigest) AS comparedDigest
FROM line.settled
ORDER BY trial, process, atMs DESC;

CREATE TABLE settled_users AS FROM last_settled SEMI JOIN replicas USING (trial, process);

CREATE VIEW different_documents AS
SELECT trial, process, comparedDigest
FROM settled_users
WHERE comparedDigest IS NOT NULL
QUALIFY min(comparedDigest) OVER (PARTITION BY trial) <> max(comparedDigest) OVER (PARTITION BY trial);

CREATE VIEW different_texts AS
SELECT trial FROM settled_users GROUP BY trial HAVING count(DISTINCT editorTextDigest) > 1;

CREATE VIEW unsettled_trials AS
SELECT trial FROM proofs ANTI JOIN different_documents USING (trial) WHERE proof = 'not-reached';

CREATE VIEW uncompared_trials AS
SELECT trial, unseen.process
FROM whole_trials
  LEFT JOIN proofs USING (trial)
  LEFT JOIN (SELECT trial, process FROM settled_users WHERE comparedDigest IS NULL) AS unseen USING (trial)
WHERE coalesce(proof, 'not-compared') = 'not-compared';

CREATE VIEW unlike_editors AS
SELECT trial, process FROM settled_users WHERE shownModelDigest IS DISTINCT FROM editorDigest;

CREATE VIEW unlike_screens AS
SELECT trial, process
FROM settled_users
WHERE editorTextDigest IS NOT NULL AND screenTextDigest IS DISTINCT FROM editorTextDigest;

CREATE VIEW closed_models AS
SELECT trial, process FROM settled_users WHERE modelDigest IS NULL;

-- Rows: edits that did not take effect. `accounts`: the last `account` line of each user; `swallowed_edits`: users whose editor
--       took fewer characters than were typed, as when a binding disables it: keys that the browser acknowledged, but the
--       editor never got; `unfocused_users`: the same of users whose page had lost the focus to another window;
--       `invented_edits`: users whose editor took more of them than were typed; `lost_edits`: trials whose shortest document
--       holds less than it must, by at least `lostCharacters`.
-- Units: characters (UTF-16 units, as Quill counts).
-- Rule: a conservation law: a document holds at least what all users put in less what all took out, and the first "\n".
--       (Not exactly as much, because two users may delete the same character.) Where one user's counts are not known, or its
--       record is missing, nothing can be said. In no editor here does a key put in more than its own character, so what is above that the
--       framework passed off as the user's. A page has a window of its own, and loses the focus by the harness or its machine
--       alone: what a framework does to its editor leaves the window its focus.
CREATE TABLE accounts AS
SELECT DISTINCT ON (trial, process) * FROM line.account ORDER BY trial, process, atMs DESC;

CREATE VIEW untaken_edits AS
SELECT
  trial,
  process,
  typedCharacters::DOUBLE AS typedCharacters,
  insertedCharacters::DOUBLE AS insertedCharacters,
  coalesce(focusLosses, 0)::DOUBLE AS focusLosses
FROM settled_users LEFT JOIN accounts USING (trial, process)
WHERE insertedCharacters < typedCharacters;

CREATE VIEW swallowed_edits AS FROM untaken_edits WHERE focusLosses = 0;
CREATE VIEW unfocused_users AS FROM untaken_edits WHERE focusLosses > 0;

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
FROM last_settled ANTI JOIN (
  SELECT trial
  FROM (FROM expected_processes WHERE process LIKE 'user-%') AS users
    ANTI JOIN (SELECT trial, process::VARCHAR AS process FROM last_settled) AS told USING (trial, process)
) AS untold USING (trial)
GROUP BY trial
HAVING lostCharacters > 0 AND count(insertedCharacters) = count(*) AND count(deletedCharacters) = count(*);

-- Rows: `unseen_cursors`: users on whose screen in the end were fewer others' cursors than there were others, one row each.
-- Units: users.
-- Rule: of each user the last `cursors-seen` line counts; without one, the user took no part in presence.
CREATE VIEW unseen_cursors AS
SELECT trial, process, others::INTEGER AS seen, users + agents - 1 AS ofOthers
FROM (FROM line.cursors_seen QUALIFY row_number() OVER (PARTITION BY trial, process ORDER BY atMs DESC) = 1)
  JOIN trials USING (trial)
WHERE others < users + agents - 1;
