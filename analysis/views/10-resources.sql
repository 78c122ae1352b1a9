-- Rows: `resource_use`: CPU and memory in the measured window, one row per thing measured (`of` = `chrome`, `driver`,
--       `server`, `gate`, `coordinator`, `machine`) and process that measured it, with the number of users that it serves;
--       `crowd_use`: the same of a crowd's processes, all together, one row per trial; `machine_use`: the machines' load, one
--       row per trial; `network_use`: payload per second in the measured window, one row per process. `reached_use`: CPU also of
--       trials that failed before the window's end, for checks alone.
-- Units: `cpuPercent`, `waitedPercent` in percent of one core: of a server, what its threads took, and what they would have
--        taken besides, had others not had the cores; `machineCpuPercent`: 100 = every core busy; `memoryMiB` in MiB (2^20
--        bytes); `…KiBps` in KiB (2^10 bytes) per second.
-- Rule: counters are cumulative, so a rate is (last - first) / (time between) over the samples in the window, and is known
--       if these two lie far enough apart: by `least_span()`, as a share of the window. Otherwise the rate would speak for
--       another time than the figures beside it. A counter read as the window ends still tells of the window, so both
--       edges belong to it here. Memory is read less often: its mean is that of straight lines between the readings, of
--       which one lies before the window and one behind it, and is known if one lies within; where nothing is read on one side,
--       memory is taken to have been as at the nearest reading. Several processes may report one machine's
--       total: their mean counts, and then the mean of the machines. A figure without samples is null.
--       The harness's own counters go on over a restart. CPU that somebody else's server tells by itself begins again with its
--       process: a step in which that fell is left out. Sent bytes may fall, too, when a connection ends with some still
--       queued: those were never sent, and nothing began again.
--       The cost of a crowd's users is no cost of a probe, so it stands apart, and is known if that of all is.
--       The share: users' bytes are read every 5 s, all else more often. In a window of 10 s, one sigil period, two such
--       readings are half of it apart, less if a timer was late; more than 0.4 would lose them by chance.
CREATE MACRO least_span() AS 0.4;

-- The rate of a counter per ms over a group's samples, null if they do not tell of the window. `fallen`: the amount by which
-- it fell at a sample as it began again, which is added; 0 of a counter that never does.
CREATE MACRO rate_in_window(total, fallen, at_ms, window_ms) AS
  CASE WHEN max(at_ms) - min(at_ms) >= least_span() * any_value(window_ms)
    THEN (arg_max(total, at_ms) - arg_min(total, at_ms) + sum(fallen)) / nullif(max(at_ms) - min(at_ms), 0)
  END;

-- The amount by which a counter fell; 0 if it did not.
CREATE MACRO fall(counter, previous) AS CASE WHEN counter < previous THEN previous - counter ELSE 0 END;

CREATE TABLE resources_in_window AS
SELECT
  *,
  CASE WHEN "of" = 'server' THEN fall(cpuMs, lag(cpuMs) OVER samples) ELSE 0 END AS cpuMsFall
FROM line.resources JOIN own_reached_windows USING (trial, process)
WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs <= toMs
WINDOW samples AS (PARTITION BY trial, process, "of", host ORDER BY atMs);

CREATE TABLE memory_in_window AS
SELECT
  trial, process, "of", host,
  sum(
    ms * memoryBytes + coalesce(slope, 0) * (pow(lineToMs - readMs, 2) - pow(greatest(fromMs - readMs, 0), 2)) / 2
  ) / sum(ms) / 1048576 AS memoryMiB
FROM (
  SELECT
    *,
    atMs + offsetMs AS readMs,
    lead(readMs) OVER readings AS nextMs,
    (lead(memoryBytes) OVER readings - memoryBytes) / (nextMs - readMs) AS slope,
    greatest(CASE WHEN lag(readMs) OVER readings IS NULL THEN fromMs ELSE readMs END, fromMs) AS lineFromMs,
    least(coalesce(nextMs, toMs), toMs) AS lineToMs,
    lineToMs - lineFromMs AS ms
  FROM line.resources JOIN own_windows USING (trial, process)
  WHERE memoryBytes IS NOT NULL
  WINDOW readings AS (PARTITION BY trial, process, "of", host ORDER BY atMs)
)
WHERE ms > 0
GROUP BY ALL
HAVING bool_or(readMs BETWEEN fromMs AND toMs);

CREATE TABLE reached_use AS
SELECT
  trial,
  process,
  "of",
  host,
  crowd IS NOT NULL AS isCrowd,
  max(users) AS users,
  max(cores) AS cores,
  100 * rate_in_window(cpuMs, cpuMsFall, atMs, windowMs) AS cpuPercent,
  100 * rate_in_window(waitedMs, 0, atMs, windowMs) AS waitedPercent,
  any_value(memoryMiB) AS memoryMiB
FROM resources_in_window
  LEFT JOIN memory_in_window USING (trial, process, "of", host)
  LEFT JOIN crowd_users USING (trial, process)
GROUP BY ALL;

CREATE VIEW all_resource_use AS FROM reached_use SEMI JOIN windows USING (trial);

CREATE VIEW resource_use AS SELECT * EXCLUDE (isCrowd) FROM all_resource_use WHERE NOT isCrowd;

CREATE VIEW crowd_use AS
SELECT
  trial,
  CASE WHEN count(cpuPercent) = count(*) THEN sum(cpuPercent) END AS crowdCpuPercent,
  CASE WHEN count(memoryMiB) = count(*) THEN sum(memoryMiB) END AS crowdMemoryMiB
FROM all_resource_use
WHERE isCrowd
GROUP BY trial;

-- Rows: `idle_use`: CPU of servers while all users are connected and nobody types, one row per trial.
-- Units: percent of one core.
-- Rule: the phase `idle`, up to when typing begins; known if its samples are at least 1.5 s apart, so that the figure does not
--       rest on two neighbours. The cpu counters as in `resource_use`. Records without that phase have no row.
CREATE VIEW idle_use AS
SELECT
  trial,
  CASE WHEN max(atMs) - min(atMs) >= 1500
    THEN 100 * (arg_max(cpuMs, atMs) - arg_min(cpuMs, atMs)) / (max(atMs) - min(atMs))
  END AS serverIdleCpuPercent
FROM (FROM line.resources WHERE "of" = 'server')
  JOIN clocks USING (trial, process)
  JOIN (FROM phases WHERE phase = 'idle') AS idle USING (trial)
WHERE atMs + clocks.offsetMs >= idle.fromMs AND atMs + clocks.offsetMs <= idle.toMs
GROUP BY trial;

CREATE VIEW machine_use AS
SELECT trial, avg(hostPercent) AS machineCpuPercent
FROM (
  SELECT trial, host, avg(cpuPercent / cores) AS hostPercent FROM resource_use WHERE "of" = 'machine' GROUP BY trial, host
)
GROUP BY trial;

-- Rows: `machine_speeds`: the speed of the coordinator's machine, one row per trial.
-- Units: turns of a fixed loop of JavaScript per µs.
-- Rule: the mean of the tests before and after the trial.
CREATE VIEW machine_speeds AS
SELECT trial, avg(oneCore) AS "machineSpeed.oneCore", avg(allCores) AS "machineSpeed.allCores"
FROM line.machine_speed
GROUP BY trial;

CREATE VIEW network_use AS
SELECT
  trial,
  process,
  role,
  rate_in_window(sentBytes, 0, atMs, windowMs) / 1.024 AS sentKiBps,
  rate_in_window(receivedBytes, 0, atMs, windowMs) / 1.024 AS receivedKiBps
FROM line.network
  JOIN own_windows USING (trial, process)
  JOIN (SELECT trial, process, role FROM processes) AS roles USING (trial, process)
  ANTI JOIN crowd_users USING (trial, process)
WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs <= toMs
GROUP BY trial, process, role;

-- Rows: `loop_delays`: the delay of an event loop in the measured window, one row per time and process;
--       `reached_loop_delays`: also of trials that failed before the window's end, for checks alone; `server_loop_delays`: the server's;
--       `server_memory`: the server's memory, at most and by its growth with the edits, one row per trial; `page_heaps`: each page's
--       memory in the end, after a garbage collection, and its growth since before typing, one row per user; `page_memory`:
--       the mean of the users' pages, one row per trial; `leaking_pages`: pages whose heap grew fast, one row each.
-- Units: ms; KiB (2^10 bytes) per 1,000 edits of all users; MiB.
-- Rule: a delay stands for the greatest of its group, and belongs to the window where its line does. Growth is the slope
--       of a straight line through the samples of the window (least squares), of which there must be ten, times the
--       window, divided by the edits performed; collections make it negative at times. Of a server that is several
--       processes, memory is summed before. Page memory is known only if that of all users is. Growth
--       is told of half a minute or more: in less, what a page compiles and keeps by typing at all is most of it.
CREATE VIEW reached_loop_delays AS
SELECT trial, process, unnest(list_resize([]::DOUBLE[], pair[1]::BIGINT, pair[2])) AS delayMs
FROM (
  SELECT trial, process, unnest(delays) AS pair
  FROM line.loop_delay JOIN own_reached_windows USING (trial, process)
  WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs < toMs
);

CREATE VIEW loop_delays AS FROM reached_loop_delays SEMI JOIN windows USING (trial);

CREATE VIEW server_loop_delays AS
SELECT trial, delayMs FROM loop_delays SEMI JOIN (FROM processes WHERE role = 'server') USING (trial, process);

CREATE VIEW server_memory AS
WITH summed AS (
  SELECT trial, atMs, sum(memoryBytes)::DOUBLE AS memoryBytes, any_value(windowMs) AS windowMs
  FROM resources_in_window SEMI JOIN windows USING (trial)
  WHERE "of" = 'server' AND memoryBytes IS NOT NULL
  GROUP BY trial, atMs
),
edits AS (SELECT trial, nullif(sum(performed), 0) AS performed FROM throughput GROUP BY trial)
SELECT
  trial,
  max(memoryBytes) / 1048576 AS serverPeakMemoryMiB,
  CASE WHEN count(*) >= 10
    THEN round(regr_slope(memoryBytes, atMs) * any_value(windowMs) / 1024 / (any_value(performed) / 1000), 6)
  END AS serverMemoryKiBPer1000Edits
FROM summed LEFT JOIN edits USING (trial)
GROUP BY trial;

CREATE MACRO least_growth_ms() AS 30000;
CREATE MACRO leak_mib_per_minute() AS 5;

CREATE TABLE page_heaps AS
SELECT
  trial,
  process,
  arg_max(heapBytes, atMs) / 1048576 AS heapMiB,
  arg_max(wasmBytes, atMs) / 1048576 AS wasmMiB,
  CASE WHEN max(atMs) - min(atMs) >= least_growth_ms()
    THEN (heapMiB - arg_min(heapBytes, atMs) / 1048576) / (max(atMs) - min(atMs)) * 60000
  END AS heapMiBPerMinute
FROM line.page_memory SEMI JOIN probes USING (trial, process)
GROUP BY trial, process;

CREATE VIEW page_memory AS
SELECT
  trial,
  avg(heapMiB) AS userHeapMiB,
  CASE WHEN count(heapMiBPerMinute) >= any_value(user_counts.users) THEN avg(heapMiBPerMinute) END AS userHeapMiBPerMinute,
  CASE WHEN count(wasmMiB) >= any_value(user_counts.users) THEN avg(wasmMiB) END AS userWasmMiB
FROM page_heaps JOIN user_counts USING (trial)
GROUP BY trial
HAVING count(*) >= any_value(user_counts.users);

CREATE VIEW leaking_pages AS
SELECT trial, process, heapMiBPerMinute FROM page_heaps WHERE heapMiBPerMinute >= leak_mib_per_minute();

-- Rows: `told_series`: the series that a server of somebody else's tells by itself, and that were asked for, one row per trial and series.
-- Units: `amount`: those of the series; of a counter per second, and its name ends in `/s` here.
-- Rule: a gauge's mean over the samples of the measured window; a counter's rate as in `resource_use`. A step in which it fell is left
--       out: what counts it began anew.
CREATE VIEW told_series AS
WITH told AS (
  SELECT trial, process, atMs, windowMs, unnest(series, recursive := true)
  FROM line.server_series JOIN own_windows USING (trial, process)
  WHERE atMs + offsetMs >= fromMs AND atMs + offsetMs <= toMs
),
stepped AS (
  SELECT *, fall(value, lag(value) OVER samples) AS fallen
  FROM told
  WINDOW samples AS (PARTITION BY trial, process, name ORDER BY atMs)
)
SELECT
  trial,
  name || CASE kind WHEN 'counter' THEN '/s' ELSE '' END AS series,
  CASE kind
    WHEN 'counter' THEN 1000 * rate_in_window(value, fallen, atMs, windowMs)
    ELSE avg(value)
  END AS amount
FROM stepped
GROUP BY trial, name, kind;

-- Rows: `compression`: the share of the messages' bytes that compression would leave, one row per trial.
-- Units: 1 = all.
-- Rule: the share of the messages sampled, which are user 0's; more than 1 if compression would make them longer.
CREATE VIEW compression AS
SELECT
  trial,
  sum(deflatedSentBytes) / nullif(sum(sentBytes), 0) AS sentLeft,
  sum(deflatedReceivedBytes) / nullif(sum(receivedBytes), 0) AS receivedLeft
FROM line.compression
GROUP BY trial;
