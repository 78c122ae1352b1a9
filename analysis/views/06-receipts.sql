-- Rows: one row per sigil and probe that received it, with the rule that removed it, if any. The sender's own screen may be
--       one of the receivers.
-- Units: ms since the epoch; `shownMs` on the receiver's clock, `shownCoordinatorMs` on the coordinator's.
-- Rule: six filters, each applied to what the one before left:
--         never sent     nobody sent the sigil: others' typing made it up;
--         before sent    it showed before it was sent, by more than the clocks of both can be wrong (on the sender's own
--                        screen by anything at all): other text happened to read so;
--                        A sigil that did so on the sender's own screen is `premature` and measures nothing on others';
--         broken while typed  it is premature, or somebody else's edit landed in the sigil before its last key, so it was whole on no screen,
--                        not even its sender's; should a later edit mend it, all screens show it at once, late;
--         broken later   somebody else's edit broke it at its sender's within 4 s (05-sends.sql): others may have got both
--                        at once, and show it if it is mended. It is left out on every screen, lest the quick ones stay;
--         repeated       the same screen showed it again, because its text moved or was copied; the first counts, and
--                        `showings` counts them all;
--         out of order   a sigil that the same sender sent later had shown there before: what one sender sends arrives
--                        in its order, so the sigil arrived split and became whole by a later edit. Sigils that show in
--                        one frame are in order.
--       Text that showed before typing began is the readiness probe's marker, not a sigil, and is no receipt.
-- Source: Weidner et al. 2023, "Collabs: A Flexible and Performant CRDT Collaboration Framework", section 7.
CREATE TYPE filter_name AS ENUM ('never sent', 'before sent', 'broken while typed', 'broken later', 'out of order');

CREATE TABLE receipts AS
WITH screens AS (
  SELECT trial, process, offsetMs, errorMs, typingFromMs
  FROM probes JOIN clocks USING (trial, process) JOIN windows USING (trial)
),
placed AS (
  SELECT
    trial,
    process AS receiver,
    sigil,
    shownMs,
    shownMs + offsetMs AS shownCoordinatorMs,
    CASE
      WHEN sender IS NULL THEN 'never sent'
      WHEN sender = process AND shownMs < sentMs THEN 'before sent'
      WHEN sender <> process AND shownCoordinatorMs < sentCoordinatorMs - senderErrorMs - errorMs THEN 'before sent'
      WHEN brokenWhileTyped THEN 'broken while typed'
      WHEN broken THEN 'broken later'
    END::filter_name AS removedBy
  FROM receipt_lines JOIN screens USING (trial, process) LEFT JOIN sends USING (trial, sigil)
  WHERE shownCoordinatorMs >= typingFromMs AND type = 'sigil-shown'
),
firsts AS (
  SELECT
    trial, receiver, sigil, removedBy,
    min(shownMs) AS shownMs, min(shownCoordinatorMs) AS shownCoordinatorMs, count(*)::INTEGER AS showings
  FROM placed
  GROUP BY ALL
)
SELECT
  trial,
  receiver,
  sigil,
  sender,
  measured,
  fromCrowd,
  sentCoordinatorMs,
  leftCoordinatorMs,
  CASE
    WHEN removedBy IS NULL AND sentCoordinatorMs < max(sentCoordinatorMs) OVER (
      PARTITION BY trial, receiver, sender, removedBy
      ORDER BY shownMs, sentCoordinatorMs
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) THEN 'out of order'
    ELSE removedBy
  END::filter_name AS removedBy,
  shownMs,
  shownCoordinatorMs,
  showings
FROM firsts LEFT JOIN sends USING (trial, sigil);

-- Rows: the number of receipts that each filter removed, warm-up included, one row per trial.
-- Units: receipts.
-- Rule: as above; a repeated receipt counts once for each showing after the first.
CREATE VIEW filtered AS
SELECT
  trial,
  coalesce(sum(showings) FILTER (removedBy = 'never sent'), 0)::INTEGER AS neverSent,
  coalesce(sum(showings) FILTER (removedBy = 'before sent'), 0)::INTEGER AS beforeSent,
  coalesce(sum(showings) FILTER (removedBy = 'broken while typed'), 0)::INTEGER AS brokenWhileTyped,
  coalesce(sum(showings) FILTER (removedBy = 'broken later'), 0)::INTEGER AS brokenLater,
  coalesce(sum(showings - 1) FILTER (removedBy IS NULL OR removedBy = 'out of order'), 0)::INTEGER AS repeated,
  count(*) FILTER (removedBy = 'out of order')::INTEGER AS outOfOrder
FROM trials LEFT JOIN receipts USING (trial)
GROUP BY trial;
