-- Rows: one row per sigil of the measured window. `others`: the number of other screens; `arrived`: of those on which the
--       sigil showed; `soon`: of those on which it showed in time; `broken`: concurrent edits broke the sigil.
-- Units: screens.
-- Rule: if the sender's editor tells (05-sends.sql), the editor decides. A sigil that a concurrent edit, or the sender's own, broke
--       there is `broken`, and left out altogether. Each other sigil is expected on every screen. A screen that never shows
--       the sigil misses it: the sigil is lost, or so late that other edits overtook it.
--       If the editor does not tell (editors that are not open to inspection, a recording of sigils that the
--       probes may have broken), the screens vote:
--       one user's edits reach another in the order of typing. So another's screen that showed a sigil, or a newer
--       one of the same sender, is known to have had the sigil's text (`informed`). Of these screens
--         - if at least half showed the sigil, it was whole, and every screen without it counts as missing it;
--         - if fewer than half did, concurrent edits broke it (someone typed into it or deleted a part), and it is
--           left out altogether;
--       and if no other screen had its text, it is broken only if the sender's own screen never showed it either
--       although that screen went on to show something; otherwise every other screen misses it.
--       The reason: a starved screen shows neither the sigil nor newer ones, so it is not informed, cannot vote a sigil
--       broken, and counts as missing it; a split sigil is missed by screens that go on to show its sender's next ones.
--       A framework that lags on every screen so much that sigils come and go unseen is caught by the latency of those that most
--       screens showed, and by the age of others' text.
--       With two users one screen alone decides, and the last sigil of a silent sender counts as missing: the rule errs
--       against the framework.
--       The rule also errs against frameworks that gather edits coarsely: a sigil that broke before it showed on the lesser
--       part of the screens counts as missing there.
-- Source: this project; the paper filters broken sigils and does not say how many remain.
CREATE TABLE arrivals AS
WITH newest AS (
  SELECT trial, sender, receiver, max(sentCoordinatorMs) AS newestMs
  FROM receipts
  WHERE removedBy IS NULL
  GROUP BY ALL
),
last_shown AS (
  SELECT trial, receiver AS sender, max(shownMs) AS lastShownMs FROM receipts GROUP BY ALL
),
shown AS (
  SELECT
    trial,
    sigil,
    count(*) FILTER (receiver <> sender) AS arrived,
    count(*) FILTER (receiver <> sender AND shownCoordinatorMs - sentCoordinatorMs <= soon_seen_ms()) AS soon,
    bool_or(receiver = sender) AS shownAtSender
  FROM receipts
  WHERE measured AND removedBy IS NULL
  GROUP BY ALL
),
informed AS (
  SELECT trial, sigil, count(*) AS informed
  FROM sends JOIN newest USING (trial, sender)
  WHERE sends.measured AND newest.receiver <> sender AND newestMs >= sentCoordinatorMs
  GROUP BY ALL
)
SELECT
  trial,
  sender,
  sigil,
  fromCrowd,
  -- Of a crowd, nobody has a screen that is looked at.
  users - (NOT fromCrowd)::INTEGER AS others,
  coalesce(shown.arrived, 0) AS arrived,
  coalesce(shown.soon, 0) AS soon,
  CASE
    WHEN sends.broken IS NOT NULL THEN sends.broken
    WHEN informed.informed > 0 THEN 2 * coalesce(shown.arrived, 0) < informed.informed
    ELSE NOT coalesce(shownAtSender, false) AND coalesce(lastShownMs > sentMs, false)
  END AS broken,
  coalesce(sends.broken, false) AS unmeasured
FROM sends
  JOIN user_counts USING (trial)
  LEFT JOIN shown USING (trial, sigil)
  LEFT JOIN informed USING (trial, sigil)
  LEFT JOIN last_shown USING (trial, sender)
WHERE sends.measured;
