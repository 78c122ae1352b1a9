-- Rows: effects on users of the faults that the experiment asked for. `fault_spans`: each fault of a trial with a measured
--       window, one row each. `endMs`: the fault's end, or that of typing if the fault did not end; `watchedToMs`: the
--       instant up to which late or missing edits are its doing; `feltToMs`: the same for freezes and cursor jumps; `isAlone`: false
--       if another fault lasted at the same time.
-- Units: ms since the epoch, on the coordinator's clock.
-- Rule: from a fault's beginning on all is its doing, until the next begins or typing ends. A screen that freezes or a cursor
--       that jumps is, until `aftermath_ms()` after its end: the time in which what was held back arrives and is worked in. Nobody
--       can tell two faults apart that last at once, so of one that is not watched to its end nothing of this is known.
-- Source: docs/data/resilience.md.
CREATE MACRO aftermath_ms() AS 10000;
-- Nobody stops typing for less, and from this delay on the schedule gives an edit up.
CREATE MACRO typing_gap_ms() AS 1000;
-- A shared machine by itself makes an edit wait for so long now and then.
CREATE MACRO least_latency_bound_ms() AS 500;

CREATE TABLE fault_spans AS
WITH followed AS (
  SELECT
    trial,
    fault,
    lead(fromMs) OVER (PARTITION BY trial ORDER BY fromMs, fault) AS nextMs,
    max(coalesce(toMs, 'infinity'::DOUBLE)) OVER (
      PARTITION BY trial ORDER BY fromMs, fault ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS earlierToMs
  FROM asked_faults
)
SELECT
  trial,
  fault,
  kind,
  asked_faults.fromMs,
  asked_faults.toMs,
  typingFromMs,
  typingToMs,
  coalesce(asked_faults.toMs, typingToMs) AS endMs,
  coalesce(nextMs, typingToMs) AS watchedToMs,
  watchedToMs >= least(endMs, typingToMs) AND coalesce(earlierToMs <= asked_faults.fromMs, true) AS isAlone,
  greatest(asked_faults.fromMs, least(endMs + aftermath_ms(), watchedToMs)) AS feltToMs
FROM asked_faults JOIN followed USING (trial, fault) JOIN windows USING (trial);

-- Rows: `typing_gaps`: stretches in which a struck user typed without seeing the result, one row each; `fault_typing`: the
--       longest gap of each fault (`typingAgainMs`), 0 if there was none; `typingAgainNever`: a gap did not end.
-- Units: ms.
-- Rule: a gap is more than a second, and begins until `feltToMs`. It is known by the user's own sigils, from a sigil's last
--       key to its showing on the own screen or, if it never showed, to that of the user's next one that did; and by
--       tasks that held the page's thread. Overlapping gaps are one. So if keys do nothing, a gap may have begun up to a sigil
--       period sooner. Keys that the browser timed count by themselves. Sigils that others broke tell nothing. Null
--       if none of those users sent a sigil meanwhile.
CREATE TABLE own_echoes AS
WITH own AS (
  SELECT sends.trial, sends.sender AS process, sends.sigil, sends.sentCoordinatorMs AS sentMs, min(seen.shownCoordinatorMs) AS shownMs
  FROM (FROM sends SEMI JOIN fault_spans USING (trial) WHERE NOT fromCrowd AND NOT coalesce(broken, false)) AS sends
    LEFT JOIN (FROM receipts WHERE removedBy IS DISTINCT FROM 'before sent') AS seen
      ON seen.trial = sends.trial AND seen.sigil = sends.sigil AND seen.receiver = sends.sender
  GROUP BY ALL
)
SELECT *, coalesce(shownMs, min(shownMs) OVER later) AS againMs
FROM own
WINDOW later AS (PARTITION BY trial, process ORDER BY sentMs, sigil ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING);

CREATE TABLE typing_gaps AS
WITH unseen AS (
  SELECT trial, fault, process, sentMs AS gapFromMs, coalesce(againMs, typingToMs) AS gapToMs, againMs IS NULL AS isOpen
  FROM own_echoes JOIN fault_users USING (trial, process) JOIN fault_spans USING (trial, fault)
  WHERE sentMs >= fromMs AND sentMs < feltToMs
  UNION ALL
  SELECT trial, fault, process, taskFromMs, taskToMs, false
  FROM long_tasks JOIN fault_users USING (trial, process) JOIN fault_spans USING (trial, fault)
  WHERE taskToMs > fromMs AND taskFromMs < feltToMs
),
begun AS (
  SELECT
    *,
    coalesce(gapFromMs > max(gapToMs) OVER (
      PARTITION BY trial, fault, process ORDER BY gapFromMs, gapToMs ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), true) AS isFirst
  FROM unseen
  WHERE gapToMs - gapFromMs > typing_gap_ms()
),
numbered AS (
  SELECT
    *,
    sum(isFirst::INTEGER) OVER (
      PARTITION BY trial, fault, process ORDER BY gapFromMs, gapToMs ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS number
  FROM begun
)
SELECT trial, fault, process, min(gapFromMs) AS gapFromMs, max(gapToMs) AS gapToMs, bool_or(isOpen) AS isOpen
FROM numbered
GROUP BY trial, fault, process, number;

CREATE VIEW fault_typing AS
WITH told AS (
  SELECT trial, fault, count(*) AS sigils
  FROM own_echoes JOIN fault_users USING (trial, process) JOIN fault_spans USING (trial, fault)
  WHERE sentMs >= fromMs AND sentMs < feltToMs
  GROUP BY trial, fault
),
longest AS (
  SELECT trial, fault, max(gapToMs - gapFromMs) AS gapMs, bool_or(isOpen) AS isOpen FROM typing_gaps GROUP BY trial, fault
),
keys AS (
  SELECT trial, fault, max(list_max(slowMs)) AS keyMs
  FROM line.key_latency
    JOIN clocks USING (trial, process)
    JOIN fault_users USING (trial, process)
    JOIN fault_spans USING (trial, fault)
  WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs < feltToMs
  GROUP BY trial, fault
)
SELECT
  trial,
  fault,
  coalesce(isAlone AND isOpen, false) AS typingAgainNever,
  CASE WHEN isAlone AND sigils > 0 AND NOT typingAgainNever
    THEN greatest(coalesce(gapMs, 0), CASE WHEN keyMs > typing_gap_ms() THEN keyMs ELSE 0 END)
  END AS typingAgainMs
FROM fault_spans
  LEFT JOIN told USING (trial, fault)
  LEFT JOIN longest USING (trial, fault)
  LEFT JOIN keys USING (trial, fault);

-- Rows: `fault_edits`: the fate of all that users typed in a trial with faults that were asked for, one row per trial:
--       characters lost (`lostCharacters`) and doubled. `isOne`: all ended with one document; `areSeveral`: they did not
--       (neither: not known); `isWhole`: it is known that nothing was lost.
-- Units: characters (UTF-16 units, as Quill counts); both are so many at least.
-- Rule: the laws of 22-document-checks.sql and 27-account-checks.sql, as numbers. Lost: by how much the shortest document is
--       shorter than what all put in less what all took out; or, if that is more, the characters taken from their authors
--       beyond those that users deleted of others'. If documents differ, characters that not all of them hold are lost.
--       Doubled: what is in the document and nobody's, and what editors took as typed beyond what was; not known
--       if documents differ. Null if not every editor could be asked.
CREATE TABLE fault_edits AS
WITH counted AS (
  SELECT
    trial,
    count(*) AS told,
    1 + sum(insertedCharacters) - sum(deletedCharacters) AS leastCharacters,
    sum(greatest(0, insertedCharacters - typedCharacters)) AS inventedCharacters,
    bool_and(insertedCharacters IS NOT NULL AND deletedCharacters IS NOT NULL) AS isCounted
  FROM last_settled
  GROUP BY trial
),
held AS (
  SELECT
    trial,
    min(characters) AS shortestCharacters,
    count(DISTINCT comparedDigest) > 1 OR count(DISTINCT editorTextDigest) > 1 AS areSeveral,
    NOT areSeveral AND bool_and(comparedDigest IS NOT NULL) AS isOne
  FROM settled_users
  GROUP BY trial
),
balanced AS (
  SELECT
    trial,
    sum(takenCharacters) - sum(deletedOfOthersCharacters) AS vanishedCharacters,
    min(characters) - sum(claimedCharacters) AS surplusCharacters
  FROM accounted_users
  GROUP BY trial
)
SELECT
  trial,
  coalesce(areSeveral, false) AS areSeveral,
  coalesce(held.isOne AND told >= trials.users, false) AS isOne,
  CASE WHEN isCounted AND told >= trials.users
    THEN greatest(0, leastCharacters - shortestCharacters, coalesce(vanishedCharacters, 0))
  END::DOUBLE AS lostCharacters,
  CASE WHEN surplusCharacters IS NOT NULL THEN greatest(0, surplusCharacters) + inventedCharacters END::DOUBLE
    AS doubledCharacters,
  coalesce(held.isOne AND vanishedCharacters IS NOT NULL AND lostCharacters = 0, false) AS isWhole
FROM (SELECT DISTINCT trial FROM asked_faults)
  JOIN trials USING (trial)
  LEFT JOIN counted USING (trial)
  LEFT JOIN held USING (trial)
  LEFT JOIN balanced USING (trial);

-- Rows: `fault_sightings`: each sigil of such a trial on each other screen, one row per sigil and screen: when it showed
--       there (`shownMs`), and when the screen was known to have its text (`informedMs`); `fault_arrivals`: the sigils sent
--       while a fault lasted: expected ones, missing ones, and the time from its end to the arrival of the last.
-- Units: ms since the epoch on the coordinator's clock; sigils × screens; `arrivedMs`: ms.
-- Rule: a user's edits reach another in their order. So a screen that showed the sigil, or else a newer one of the same
--       user, is known to have its text: while people go on typing, text that arrives with much else may be deleted or typed
--       into before it is ever seen. That excuses a sigil only if the account of all edits says that nothing was
--       lost; else one that never showed is missing. Sigils that others broke within `concurrent_edit_ms()` at their sender's
--       are left out, as in 07-arrivals.sql. With one missing the last never arrived: null. Nor is it known when one arrived that never
--       showed, with none newer.
CREATE TABLE fault_sightings AS
WITH expected AS (
  SELECT trial, sigil, sender, receiver, sentCoordinatorMs AS sentMs
  FROM (FROM sends SEMI JOIN fault_spans USING (trial) WHERE NOT coalesce(broken, false)) AS whole
    JOIN (SELECT trial, process AS receiver FROM probes) AS screens USING (trial)
  WHERE receiver <> sender
),
seen AS (
  SELECT trial, sigil, receiver, shownCoordinatorMs AS shownMs
  FROM receipts
  WHERE removedBy IS NULL OR removedBy = 'out of order'
)
SELECT *, min(shownMs) OVER newer AS informedMs
FROM expected LEFT JOIN seen USING (trial, sigil, receiver)
WINDOW newer AS (
  PARTITION BY trial, sender, receiver ORDER BY sentMs, sigil ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
);

CREATE VIEW fault_arrivals AS
SELECT
  trial,
  fault,
  count(*)::INTEGER AS expected,
  (count(*) FILTER (shownMs IS NULL AND NOT isWhole))::INTEGER AS missing,
  CASE WHEN missing = 0 AND count(informedMs) = count(*) AND any_value(toMs) IS NOT NULL
    THEN greatest(0, max(coalesce(shownMs, informedMs)) - any_value(endMs))
  END AS arrivedMs
FROM fault_sightings JOIN fault_spans USING (trial) JOIN fault_edits USING (trial)
WHERE sentMs >= fromMs AND sentMs < endMs
GROUP BY trial, fault;

-- Rows: `fault_pairs`: the return of a screen to showing a sender's sigils as soon as before, one row per fault, sender and
--       screen (`calmMs`: when the first such sigil was sent; `backMs`: when the last before it arrived);
--       `fault_agreement`: the time from a fault's end until all pairs had returned, with one document (`agreeMs`).
-- Units: `calmMs`, `backMs`: ms since the epoch on the coordinator's clock; `agreeMs`: ms.
-- Rule: as soon as before: within twice the 95th percentile of what showed before the trial's first fault, and at least half
--       a second; where too little had shown by then, only what shows within half a second is known to be. Calm is a sigil with which three in a row were so, after the last late one of those sent before the fault's end: two more
--       sigil periods without a break, while one late edit now and then is no fault's doing. A fault may strike a pair some time after it
--       began, as a deploy of several servers does. `backMs` is null if no sigil was late before: that pair was not struck. Null if a pair
--       was never calm, or if documents differ in the end. That a pair never agrees is known if three sigils or more were sent after the
--       end, and the last was still late (`isLateToTheLast`); else there were too few to tell.
CREATE TABLE fault_pairs AS
WITH bounds AS (
  SELECT trial, 2 * quantile_cont(shownMs - sentMs, 0.95) AS boundMs
  FROM fault_sightings JOIN (SELECT trial, min(fromMs) AS firstMs FROM fault_spans GROUP BY trial) USING (trial)
  WHERE shownMs < firstMs
  GROUP BY trial
  HAVING enough_for(0.5, count(*))
),
timed AS (
  SELECT
    trial, fault, sender, receiver, sentMs, endMs, toMs IS NULL AS isEndless,
    coalesce(shownMs, CASE WHEN isWhole THEN informedMs END) AS arrivedMs,
    shownMs IS NOT NULL AND (shownMs - sentMs <= least_latency_bound_ms() OR shownMs - sentMs <= boundMs) AS isInTime
  FROM fault_sightings JOIN fault_spans USING (trial) JOIN fault_edits USING (trial) LEFT JOIN bounds USING (trial)
  WHERE sentMs >= fromMs AND sentMs < watchedToMs
),
rows_of_three AS (
  SELECT
    *,
    count(*) OVER three = 3 AND bool_and(isInTime IS true) OVER three
      AND sentMs > coalesce(max(sentMs) FILTER (isInTime IS NOT true AND NOT isEndless AND sentMs < endMs) OVER pair, 0) AS isCalm
  FROM timed
  WINDOW
    pair AS (PARTITION BY trial, fault, sender, receiver),
    three AS (PARTITION BY trial, fault, sender, receiver ORDER BY sentMs ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING)
),
calmed AS (
  SELECT *, min(sentMs) FILTER (isCalm) OVER (PARTITION BY trial, fault, sender, receiver) AS calmMs FROM rows_of_three
)
SELECT
  trial, fault, sender, receiver,
  any_value(calmMs) AS calmMs,
  max(coalesce(arrivedMs, calmMs)) FILTER (isInTime IS NOT true AND sentMs < calmMs) AS backMs,
  count(*) FILTER (isEndless OR sentMs >= endMs) >= 3 AND arg_max(isInTime IS false, sentMs) AS isLateToTheLast
FROM calmed
GROUP BY trial, fault, sender, receiver;

CREATE VIEW fault_agreement AS
WITH together AS (
  SELECT
    trial,
    fault,
    max(backMs) AS backMs,
    count(*) FILTER (calmMs IS NULL) AS uncalm,
    count(*) FILTER (calmMs IS NULL AND isLateToTheLast) AS apart
  FROM fault_pairs
  GROUP BY trial, fault
)
SELECT
  trial,
  fault,
  (isAlone AND apart > 0) OR areSeveral AS agreeNever,
  CASE WHEN isAlone AND isOne AND uncalm = 0 AND toMs IS NOT NULL THEN greatest(0, coalesce(backMs - endMs, 0)) END AS agreeMs
FROM together JOIN fault_spans USING (trial, fault) JOIN fault_edits USING (trial);

-- Rows: `fault_screens`: jumps and freezes of the screens while a fault was felt, one row per fault: the number of cursor
--       jumps by others' changes, the farthest such jump, and the time for which the worst page stood still.
-- Units: jumps; characters; `frozenMs`: ms in tasks of 50 ms or longer, null outside Chrome.
-- Rule: of all probes, struck or not: who comes back brings others much at once. A task that reaches over an edge counts with what lies
--       within. Rounded to six decimals, as the last bits of a sum depend on the order in which cores add.
CREATE VIEW fault_screens AS
WITH jumps AS (
  SELECT trial, fault, count(*)::INTEGER AS cursorJumps, max(abs(movedBy))::DOUBLE AS largestCursorJump
  FROM line.cursor
    SEMI JOIN probes USING (trial, process)
    JOIN clocks USING (trial, process)
    JOIN fault_spans USING (trial)
  WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs < feltToMs
  GROUP BY trial, fault
),
stood AS (
  SELECT trial, fault, process, round(sum(ms_within(taskFromMs, taskToMs, fromMs, feltToMs)), 6) AS frozenMs
  FROM fault_spans
    JOIN (SELECT trial, process FROM processes SEMI JOIN probes USING (trial, process) WHERE chrome IS NOT NULL) AS pages
      USING (trial)
    LEFT JOIN long_tasks USING (trial, process)
  GROUP BY trial, fault, process
),
worst AS (SELECT trial, fault, max(frozenMs) AS frozenMs FROM stood GROUP BY trial, fault)
SELECT
  trial,
  fault,
  CASE WHEN isAlone THEN coalesce(cursorJumps, 0) END AS cursorJumps,
  CASE WHEN isAlone THEN coalesce(largestCursorJump, 0) END AS largestCursorJump,
  CASE WHEN isAlone THEN frozenMs END AS frozenMs
FROM fault_spans LEFT JOIN jumps USING (trial, fault) LEFT JOIN worst USING (trial, fault);

-- Rows: `gone_users`: users whose client gave its connection up for good, one row each, with the instant.
-- Units: ms since the epoch, on the coordinator's clock.
-- Rule: the last state of a user's connection.
CREATE VIEW gone_users AS
SELECT trial, process, max(atMs + offsetMs) AS goneMs
FROM line.connection JOIN clocks USING (trial, process)
GROUP BY trial, process
HAVING arg_max(state, atMs) = 'gone';

-- Rows: `late_ends`: deploys whose servers took, on average, all the time that they are given to end in order, one row each.
-- Units: `perServerMs`: ms.
-- Rule: harness/server/server-process.ts kills a server that is not gone after 30 s. One late server among several may be
--       missed, and a `downFor` of 30 s or more looks like one.
CREATE VIEW late_ends AS
SELECT trial, fault, (toMs - fromMs) / servers AS perServerMs
FROM asked_faults JOIN trials USING (trial)
WHERE kind = 'server-roll' AND perServerMs >= 30000;

-- Rows: `fault_figures`: the effects on users as figures, one row per trial and fault.
-- Units: as the names say; `atS`, `forS`: s, from when typing began, and how long it lasted; `users`: struck ones.
-- Rule: as above. `…Never`: it did not come, so that the figure is null; null without it: not known. Characters lost and doubled
--       are the whole trial's, as nobody can tell which fault took them. Agents and readers are no users here.
CREATE VIEW fault_figures AS
WITH struck AS (SELECT trial, fault, count(*)::INTEGER AS users FROM fault_users GROUP BY trial, fault),
left_behind AS (
  SELECT trial, fault, count(*)::INTEGER AS usersGone
  FROM gone_users
    JOIN (SELECT trial, process FROM processes JOIN trials USING (trial) WHERE "user" < users) AS people USING (trial, process)
    JOIN fault_spans USING (trial)
  -- In settling, too, one may give up.
  WHERE goneMs >= fromMs AND (goneMs < watchedToMs OR watchedToMs = typingToMs)
  GROUP BY trial, fault
)
SELECT
  trial,
  fault,
  kind,
  coalesce(struck.users, 0) AS users,
  round((fromMs - typingFromMs) / 1000, 6) AS atS,
  round((toMs - fromMs) / 1000, 6) AS forS,
  typingAgainMs,
  typingAgainNever,
  arrivedMs,
  coalesce(missing > 0, false) AS arrivedNever,
  100 * missing / expected AS sigilsMissingPercent,
  agreeMs,
  coalesce(agreeNever, areSeveral) AS agreeNever,
  lostCharacters,
  doubledCharacters,
  CASE WHEN isAlone THEN coalesce(usersGone, 0) END AS usersGone,
  cursorJumps,
  largestCursorJump,
  frozenMs
FROM fault_spans
  JOIN fault_edits USING (trial)
  JOIN fault_typing USING (trial, fault)
  JOIN fault_screens USING (trial, fault)
  LEFT JOIN struck USING (trial, fault)
  LEFT JOIN fault_arrivals USING (trial, fault)
  LEFT JOIN fault_agreement USING (trial, fault)
  LEFT JOIN left_behind USING (trial, fault);
