-- Rows: figures that cannot be, since something went past the instrument. `impossible_bytes`: users and servers at which fewer
--       bytes were counted than the markers hold that passed there, one row for each direction; `unlike_bytes`: trials in which users and
--       their server counted far from the same, one row for each direction; `impossible_latencies`: trials
--       in which markers came sooner than the links let anything pass; `hurried_markers`: trials in which they came much sooner
--       than the text around them; `other_work`: trials whose machine did much that no process of the trial did.
-- Units: bytes; KiB per second; markers; ms; `otherPercent`: of one core; `limitPercent`: the same.
-- Rule: a marker is five characters, and far more comes with it, so a byte for each character is less than any client sends.
--       Counters are of the whole trial, as the markers are. A marker passes its sender's link and its receiver's; clocks may
--       be wrong by their errors, and a few early ones are chance. A fault may replace a link, so trials with faults are left out.
--       TCP's payload at a server, sent or received, is 0.96 to 1.3 times the payload of its users' WebSockets in all kept runs of
--       live users. Twice or half went other ways, or was compressed.
--       Half of the looks at others' text find it as old as a marker's latency, and half a step of the grid of text ages (0.1 s)
--       more. Where it is older than nine of ten markers by three times that, something hurries markers alone, and
--       latencies are not those of typing. Were some edits late for long, so were the markers that they belong to.
--       The harness's own processes beside take under 6 % of a core in all kept runs on two cores. Only a trial of which all
--       processes told their use is judged.
CREATE MACRO marker_bytes() AS 5;
CREATE MACRO unlike_bytes_factor() AS 2;
CREATE MACRO unlike_bytes_kibps() AS 0.2;
CREATE MACRO early_markers_least() AS 3;
CREATE MACRO early_markers_share() AS 0.05;
CREATE MACRO hurried_ms() AS 300;
CREATE MACRO looks_least() AS 20;
CREATE MACRO other_work_percent() AS 5;

CREATE VIEW others_receipts AS
SELECT trial, sender, receiver, sigil, shownCoordinatorMs - sentCoordinatorMs AS latencyMs
FROM receipts
WHERE receiver <> sender AND removedBy IS NULL;

CREATE VIEW impossible_bytes AS
WITH passed AS (
  SELECT trial, receiver AS process, 'received' AS direction, count(*)::INTEGER AS markers FROM others_receipts GROUP BY ALL
  UNION ALL
  SELECT trial, sender, 'sent', count(DISTINCT sigil)::INTEGER FROM others_receipts GROUP BY ALL
  UNION ALL
  SELECT trial, processes.process, 'sent', count(*)::INTEGER
  FROM others_receipts JOIN processes USING (trial)
  WHERE role = 'server'
  GROUP BY ALL
),
counted AS (
  SELECT trial, process, 'received' AS direction, max(receivedBytes)::DOUBLE AS bytes FROM line.network GROUP BY ALL
  UNION ALL
  SELECT trial, process, 'sent', max(sentBytes)::DOUBLE FROM line.network GROUP BY ALL
)
SELECT trial, process, direction, bytes, markers
FROM passed JOIN counted USING (trial, process, direction)
WHERE bytes < marker_bytes() * markers;

CREATE VIEW unlike_bytes AS
SELECT trial, direction, serverKiBps, usersKiBps
FROM (
  SELECT
    trial,
    unnest(['sent', 'received']) AS direction,
    unnest([serverSentKiBps, serverReceivedKiBps]) AS serverKiBps,
    unnest([userReceivedKiBps, userSentKiBps]) * user_counts.users AS usersKiBps
  FROM network_figures JOIN user_counts USING (trial) ANTI JOIN crowd_users USING (trial) ANTI JOIN asked_faults USING (trial)
)
WHERE greatest(serverKiBps, usersKiBps) > unlike_bytes_factor() * least(serverKiBps, usersKiBps)
  AND abs(serverKiBps - usersKiBps) > unlike_bytes_kibps();

CREATE VIEW impossible_latencies AS
WITH ends AS (
  SELECT trial, process, leastDelayMs, errorMs FROM processes JOIN clocks USING (trial, process) ANTI JOIN asked_faults USING (trial)
)
SELECT
  trial,
  (count(*) FILTER (latencyMs < there.leastMs + back.leastMs - there.errorMs - back.errorMs))::INTEGER AS early,
  count(*)::INTEGER AS markers,
  min(there.leastMs + back.leastMs) AS leastMs
FROM others_receipts
  JOIN (SELECT trial, process AS sender, leastDelayMs AS leastMs, errorMs FROM ends) AS there USING (trial, sender)
  JOIN (SELECT trial, process AS receiver, leastDelayMs AS leastMs, errorMs FROM ends) AS back USING (trial, receiver)
GROUP BY trial
HAVING early >= early_markers_least() AND early > early_markers_share() * markers;

CREATE VIEW hurried_markers AS
SELECT trial, textMs, markersMs
FROM (SELECT trial, median(ageMs) AS textMs, count(*) AS looks FROM text_ages GROUP BY trial)
  JOIN (
    SELECT trial, quantile_cont(endToEndLatencyMs, 0.9) AS markersMs, count(DISTINCT sigil) AS markers
    FROM end_to_end_latencies
    GROUP BY trial
  ) USING (trial)
  -- Text that a fault keeps from users is old, or that is in a document which they do not share; no marker of theirs is late for it.
  ANTI JOIN asked_faults USING (trial)
  ANTI JOIN different_documents USING (trial)
  ANTI JOIN different_texts USING (trial)
WHERE looks >= looks_least() AND markers >= looks_least() AND textMs - markersMs > hurried_ms();

CREATE VIEW other_work AS
SELECT trial, sum(cpuPercent) FILTER ("of" = 'machine') - sum(cpuPercent) FILTER ("of" <> 'machine')
    - coalesce(any_value(backingCpuPercent), 0) AS otherPercent,
  other_work_percent() * max(cores) AS limitPercent
FROM all_resource_use AS used
  JOIN user_counts USING (trial)
  LEFT JOIN (
    SELECT trial, 100 * sum(perMs) AS backingCpuPercent
    FROM backing_rates
    WHERE counter IN ('storeCpuMs', 'brokerCpuMs', 'linksCpuMs')
    GROUP BY trial
  ) USING (trial)
GROUP BY trial
HAVING otherPercent > limitPercent AND count(*) = count(cpuPercent) AND bool_or("of" = 'server')
  AND sum(used.users) FILTER ("of" = 'chrome' AND NOT isCrowd) >= any_value(user_counts.users);
