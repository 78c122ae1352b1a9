-- Rows: the account of the document: it must consist of the users' edits, and of nothing else. `accounted_users`: the fate of
--       each user's edits, one row each; then one row per finding: `unaccounted_documents`: trials whose users' claims do
--       not add up to the document; `vanished_edits`: trials in which more was taken from its authors than users deleted of others;
--       `altered_edits`: users whose editors took other letters than were typed; `undone_deletions`: users whose deletions
--       came back; `torn_rewrites`: users from whom one change of others took text without what replaced it; `undone_formats`:
--       trials in which formats were set anew by others' changes, more than chance explains.
-- Units: characters (UTF-16 units, as Quill counts); for formats edits that set some.
-- Rule: every character has one author, whose editor knows it as the author's own for as long as it lives, however
--       concurrent the edits. So what all users claim in the end is the whole document, each place once: in number, and
--       place by place (the sums of a hash of the places, see editors/base/instrument/ledger.ts). What has no author was doubled
--       or brought back; what has two was put in the place of another. What others' changes took from its author some
--       other user must have deleted (users who delete the same character at once make the second sum larger, never
--       smaller). A deletion of another's character that is rolled back costs nobody a claim: it shows as the same text
--       that comes back at the same place, which honest users rarely type; so much of it, and more, is a finding. Where
--       many users type in a short document, they do: so each user also counts how often a text came that it had deleted
--       just before, elsewhere. What the user counts so, or the share that all users of the trial do, whichever is more,
--       is chance: some users delete where others type the same again and again. Only
--       an excess over chance, by four standard deviations of a count, is a finding.
--       A recorded crowd's accounts are of its recording, which knew nothing of the probes: what it claims there is in the
--       document, less what probes deleted; where it lies, the replay tells (28-crowd-checks.sql). No one of it can have
--       deleted a probe's character, so among probes the second law holds as it is.
--       An agent replaces its paragraph in one change, which must come to everyone as one, whatever breaks on the way.
--       Others may format what a user formatted, by chance within the 5 s that count, too, the likelier the shorter the
--       document. Users choose bold as often as italic, so each counts how often others set the one where it had set the
--       other: that is chance. Formats of whole lines have no such counterpart. Of five edits or more, most are undone only
--       if something undoes them, or, in bold and italic, so many above chance, by four standard deviations of a count.
--       Documents that differ are told of elsewhere, and cannot be accounted for.
-- Source: this project.
CREATE MACRO restored_share_limit() AS 0.05;
CREATE MACRO restored_characters_limit() AS 5;
CREATE MACRO undone_formats_share_limit() AS 0.5;
CREATE MACRO undone_formats_least() AS 5;
CREATE MACRO undone_formats_excess_limit() AS 0.05;
-- Half of what an agent of the kind `rewrite` replaces; people take out one character at a time.
CREATE MACRO torn_rewrite_limit() AS 1000;

-- Of trials in which every user who holds a document could be asked, and all hold the same.
CREATE TABLE accounted_users AS
SELECT accounts.*, characters, deletedCharacters
FROM accounts JOIN settled_users USING (trial, process)
WHERE trial NOT IN (SELECT trial FROM different_documents) AND trial NOT IN (SELECT trial FROM different_texts)
QUALIFY count(*) OVER (PARTITION BY trial) = (
  SELECT coalesce(CASE WHEN crowd = 'recorded' THEN probes END, users) + agents + clientReaders
  FROM trials WHERE trials.trial = accounts.trial
);

CREATE VIEW recorded_accounts AS
SELECT trial, sum(claimedCharacters) AS claimedCharacters
FROM accounts SEMI JOIN (FROM crowd_users WHERE crowd = 'recorded') AS recorded USING (trial, process)
GROUP BY trial;

CREATE VIEW unaccounted_documents AS
SELECT
  trial,
  min(characters)::DOUBLE AS characters,
  sum(claimedCharacters)::DOUBLE AS claimedCharacters
FROM accounted_users ANTI JOIN recorded_accounts USING (trial)
GROUP BY trial
HAVING sum(claimedCharacters) <> min(characters) OR sum(claimedHash) <> min(documentHash)
UNION ALL
SELECT trial, characters, least(greatest(characters, leastCharacters), mostCharacters)
FROM (
  SELECT
    trial,
    min(characters)::DOUBLE AS characters,
    (sum(claimed.claimedCharacters) + any_value(recorded.claimedCharacters))::DOUBLE AS mostCharacters,
    mostCharacters - sum(deletedOfOthersCharacters) AS leastCharacters
  FROM accounted_users AS claimed JOIN recorded_accounts AS recorded USING (trial)
  GROUP BY trial
)
WHERE characters NOT BETWEEN leastCharacters AND mostCharacters;

CREATE VIEW vanished_edits AS
SELECT
  trial,
  sum(takenCharacters)::DOUBLE AS takenCharacters,
  sum(deletedOfOthersCharacters)::DOUBLE AS deletedOfOthersCharacters
FROM accounted_users
GROUP BY trial
HAVING sum(takenCharacters) > sum(deletedOfOthersCharacters);

CREATE VIEW torn_rewrites AS
SELECT trial, process, mostVanishedCharacters::DOUBLE AS mostVanishedCharacters
FROM accounted_users JOIN trials USING (trial)
WHERE agents > 0 AND mostVanishedCharacters >= torn_rewrite_limit();

-- Where more or fewer were taken, 22-document-checks.sql tells.
CREATE VIEW altered_edits AS
SELECT trial, process
FROM accounts JOIN settled_users USING (trial, process)
WHERE insertedCharacters = typedCharacters AND insertedHash <> typedHash;

CREATE VIEW undone_deletions AS
SELECT
  trial,
  process,
  restoredCharacters::DOUBLE AS restoredCharacters,
  deletedCharacters::DOUBLE AS deletedCharacters
FROM (
  SELECT
    *,
    greatest(
      restoredByChanceCharacters,
      deletedCharacters
        * coalesce(sum(restoredByChanceCharacters) OVER ofTrial / nullif(sum(deletedCharacters) OVER ofTrial, 0), 0)
    ) AS byChance
  FROM accounted_users
  WINDOW ofTrial AS (PARTITION BY trial)
)
WHERE restoredCharacters > restored_characters_limit()
  AND restoredCharacters - byChance - 4 * sqrt(byChance) > restored_share_limit() * deletedCharacters;

CREATE VIEW undone_formats AS
SELECT
  trial,
  sum(undoneFormats)::DOUBLE AS undoneFormats,
  sum(formats)::DOUBLE AS formats,
  sum(undoneFormatsByChance)::DOUBLE AS byChance
FROM accounted_users
GROUP BY trial
HAVING undoneFormats >= undone_formats_least() AND (
  undoneFormats > undone_formats_share_limit() * formats
  OR undoneFormats - byChance - 4 * sqrt(byChance) > undone_formats_excess_limit() * formats
);

-- Rows: copies of the document that others would get: `unlike_states`: users whose saved state holds another document than
--       their model; `unlike_newcomers`: users at whose side somebody joined at the end and got another document;
--       `unserved_newcomers`: those where nobody could join.
-- Units: SHA-256 digests.
-- Rule: the last `copies` line of each user counts. It is made some time after the model was read, so only documents that
--       had come to rest are compared.
-- Source: this project.
CREATE TABLE copies AS
SELECT DISTINCT ON (trial, process) * FROM line.copies ORDER BY trial, process, atMs DESC;

CREATE VIEW copies_at_rest AS
FROM copies
  JOIN settled_users USING (trial, process)
  SEMI JOIN (FROM proofs WHERE proof = 'reached') AS reached USING (trial);

CREATE VIEW unlike_states AS SELECT trial, process FROM copies_at_rest WHERE savedDigest <> modelDigest;

CREATE VIEW unlike_newcomers AS SELECT trial, process FROM copies_at_rest WHERE lateDigest <> modelDigest;

CREATE VIEW unserved_newcomers AS SELECT trial, process, lateProblem FROM copies WHERE lateProblem IS NOT NULL;
