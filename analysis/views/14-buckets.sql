-- Rows: `buckets`: the time in which users type, warm-up included, cut into pieces of `bucket_ms()`, 10 s; one row per trial and bucket.
-- Units: `bucket` counts from 0; `fromMs`, `toMs`: ms since the epoch on the coordinator's clock.
-- Rule: `phase` is the one in the middle of the bucket. The last bucket may be shorter; if it would be under a second, it is left out.
-- Source: Weidner et al. 2023, section 7, whose time series have buckets of 10 s.
CREATE MACRO bucket_of(instant_ms, start_ms) AS floor((instant_ms - start_ms) / bucket_ms())::INTEGER;

CREATE TABLE buckets AS
WITH cut AS (
  SELECT
    trial, typingFromMs AS spanFromMs, typingToMs AS spanToMs,
    unnest(range(ceil((typingToMs - typingFromMs) / bucket_ms() - 0.1)::INTEGER))::INTEGER AS bucket
  FROM windows
),
pieces AS (
  SELECT
    trial, bucket, spanFromMs, spanFromMs + bucket * bucket_ms() AS fromMs,
    least(spanFromMs + (bucket + 1) * bucket_ms(), spanToMs) AS toMs
  FROM cut
)
SELECT pieces.trial, bucket, spanFromMs, pieces.fromMs, pieces.toMs, phase
FROM pieces
  JOIN phases ON phases.trial = pieces.trial
    AND (pieces.fromMs + pieces.toMs) / 2 >= phases.fromMs
    AND (pieces.fromMs + pieces.toMs) / 2 < coalesce(phases.toMs, 'infinity'::DOUBLE);

-- Rows: the latency of every sigil that passed the filters, one row per sigil and screen, with its bucket; `own`
--       tells the sender's own screen (local latency) from another's (end-to-end latency).
-- Units: ms.
-- Rule: a latency belongs to the bucket in which its sigil was sent.
-- Source: `receipts`; as in 08-latencies.sql, but for the whole time of typing. In the measured window alone screens vote.
CREATE VIEW bucket_latencies AS
SELECT
  trial,
  bucket_of(sentCoordinatorMs, typingFromMs) AS bucket,
  sigil,
  receiver = sender AS own,
  shownCoordinatorMs - sentCoordinatorMs AS latencyMs
FROM receipts JOIN windows USING (trial) LEFT JOIN (SELECT trial, sigil, true AS isVoted FROM arrivals WHERE broken) USING (trial, sigil)
WHERE removedBy IS NULL AND (own OR isVoted IS NULL);

-- Rows: CPU between two samples of one thing in sequence, and memory at the second of them.
-- Units: `cpuMs`: ms of CPU; `fromMs`, `toMs`: ms since the epoch on the coordinator's clock.
-- Rule: the counters are cumulative, so a step is a difference of neighbours; 0 if a server's fell, as a process of it was
--       ended.
CREATE VIEW resource_steps AS
SELECT
  trial, process, "of", host, users, cores, memoryBytes,
  lag(atMs + offsetMs) OVER samples AS fromMs,
  atMs + offsetMs AS toMs,
  cpuMs - lag(cpuMs) OVER samples + CASE WHEN "of" = 'server' THEN fall(cpuMs, lag(cpuMs) OVER samples) ELSE 0 END
    AS cpuMs
FROM (FROM line.resources ANTI JOIN crowd_users USING (trial, process))
  JOIN clocks USING (trial, process)
WINDOW samples AS (PARTITION BY trial, process, "of", host ORDER BY atMs);

-- Rows: the figures of one trial in each bucket, without latencies: one row per trial and bucket.
-- Units: edits; percent of one core (`userCpuPercent`: per user; `machineCpuPercent`: 100 = every core busy); MiB;
--        characters; `longTaskPercent`: percent of the users' time.
-- Rule: a typing line counts in the bucket of the middle of its second; a CPU step in the bucket of its middle; a memory
--       sample and a document's length where they were taken; a long task with what lies in the bucket. Users' CPU and
--       memory are known only if those of all users are; machines count as in `machine_use`. Rounded to six decimals,
--       as the last bits of a sum depend on the order in which cores add.
CREATE VIEW bucket_figures AS
WITH typed AS (
  SELECT trial, bucket_of(atMs + offsetMs, typingFromMs) AS bucket, sum(offered) AS offered, sum(performed) AS performed
  FROM (FROM typing_lines SEMI JOIN probes USING (trial, process))
    JOIN clocks USING (trial, process)
    JOIN windows USING (trial)
  GROUP BY ALL
),
hosts AS (
  SELECT
    trial,
    bucket_of(coalesce((resource_steps.fromMs + resource_steps.toMs) / 2, resource_steps.toMs), typingFromMs) AS bucket,
    "of", process, host,
    max(users) AS users,
    max(cores) AS cores,
    100 * sum(cpuMs) / nullif(sum(resource_steps.toMs - resource_steps.fromMs) FILTER (cpuMs IS NOT NULL), 0) AS cpuPercent,
    avg(memoryBytes) / 1048576 AS memoryMiB
  FROM resource_steps JOIN windows USING (trial)
  GROUP BY ALL
),
used AS (
  SELECT
    trial,
    bucket,
    sum(cpuPercent) FILTER ("of" = 'server') AS serverCpuPercent,
    sum(memoryMiB) FILTER ("of" = 'server') AS serverMemoryMiB,
    sum(hosts.users) FILTER ("of" = 'chrome' AND cpuPercent IS NOT NULL) AS usersOfCpu,
    sum(hosts.users) FILTER ("of" = 'chrome' AND memoryMiB IS NOT NULL) AS usersOfMemory,
    CASE WHEN usersOfCpu >= any_value(user_counts.users) THEN sum(cpuPercent) FILTER ("of" = 'chrome') / usersOfCpu END
      AS userCpuPercent,
    CASE WHEN usersOfMemory >= any_value(user_counts.users) THEN sum(memoryMiB) FILTER ("of" = 'chrome') / usersOfMemory END
      AS userMemoryMiB
  FROM hosts JOIN user_counts USING (trial)
  GROUP BY trial, bucket
),
machines AS (
  SELECT trial, bucket, avg(hostPercent) AS machineCpuPercent
  FROM (
    SELECT trial, bucket, host, avg(cpuPercent / cores) AS hostPercent FROM hosts WHERE "of" = 'machine' GROUP BY ALL
  )
  GROUP BY ALL
),
lengths AS (
  SELECT trial, bucket_of(atMs + offsetMs, typingFromMs) AS bucket, avg(characters) AS documentCharacters
  FROM (FROM line.document SEMI JOIN probes USING (trial, process))
    JOIN clocks USING (trial, process)
    JOIN windows USING (trial)
  GROUP BY ALL
),
pages AS (
  SELECT trial, count(*) AS pages FROM processes WHERE role = 'user' AND chrome IS NOT NULL GROUP BY trial
),
task_buckets AS (
  SELECT
    trial, taskFromMs, taskToMs,
    unnest(range(bucket_of(taskFromMs, typingFromMs), bucket_of(taskToMs, typingFromMs) + 1))::INTEGER AS bucket
  FROM long_tasks JOIN windows USING (trial)
),
busy AS (
  SELECT trial, bucket, sum(ms_within(taskFromMs, taskToMs, fromMs, toMs)) AS busyMs
  FROM task_buckets JOIN buckets USING (trial, bucket)
  GROUP BY ALL
),
seen AS (
  SELECT trial, bucket, count(DISTINCT sigil) AS sigilsSeen FROM bucket_latencies WHERE NOT own GROUP BY ALL
)
SELECT
  trial,
  bucket,
  phase,
  coalesce(offered, 0)::INTEGER AS offered,
  coalesce(performed, 0)::INTEGER AS performed,
  coalesce(sigilsSeen, 0)::INTEGER AS sigilsSeen,
  round(serverCpuPercent, 6) AS serverCpuPercent,
  round(serverMemoryMiB, 6) AS serverMemoryMiB,
  round(userCpuPercent, 6) AS userCpuPercent,
  round(userMemoryMiB, 6) AS userMemoryMiB,
  round(machineCpuPercent, 6) AS machineCpuPercent,
  round(documentCharacters, 6) AS documentCharacters,
  CASE WHEN pages > 0 THEN round(100 * coalesce(busyMs, 0) / (pages * (toMs - fromMs)), 6) END AS longTaskPercent
FROM buckets
  LEFT JOIN typed USING (trial, bucket)
  LEFT JOIN used USING (trial, bucket)
  LEFT JOIN machines USING (trial, bucket)
  LEFT JOIN lengths USING (trial, bucket)
  LEFT JOIN pages USING (trial)
  LEFT JOIN busy USING (trial, bucket)
  LEFT JOIN seen USING (trial, bucket);
