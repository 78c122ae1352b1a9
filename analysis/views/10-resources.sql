-- What: `resource_use`: CPU and memory in the measured window, one row per thing measured (`of` = `chrome`, `driver`,
--       `server`, `coordinator`, `machine`) and process that measured it, with the number of users that it serves;
--       `network_use`: payload per second in the measured window, one row per process.
-- Units: `cpuPercent` in percent of one core; `memoryMiB` in MiB (2^20 bytes); `…KiBps` in KiB (2^10 bytes) per second.
-- Rule: counters are cumulative, so a rate is (last - first) / (time between) over the samples in the window and needs
--       two of them; memory is the mean of the samples that have it. What was not sampled is null.
-- Source: `resources` and `network` lines.
CREATE VIEW samples_in_window AS
SELECT lines.*
FROM lines
  JOIN clocks USING (trial, process)
  JOIN windows USING (trial)
WHERE type IN ('resources', 'network')
  AND atMs + clocks.offsetMs >= windows.fromMs AND atMs + clocks.offsetMs <= windows.toMs;

CREATE VIEW resource_use AS
SELECT
  trial,
  process,
  "of",
  host,
  max(users) AS users,
  max(cores) AS cores,
  100 * (arg_max(cpuMs, atMs) - arg_min(cpuMs, atMs)) / nullif(max(atMs) - min(atMs), 0) AS cpuPercent,
  avg(memoryBytes) / 1048576 AS memoryMiB
FROM samples_in_window
WHERE type = 'resources'
GROUP BY ALL;

CREATE VIEW network_use AS
SELECT
  trial,
  process,
  processes.role,
  (arg_max(sentBytes, atMs) - arg_min(sentBytes, atMs)) / 1.024 / nullif(max(atMs) - min(atMs), 0) AS sentKiBps,
  (arg_max(receivedBytes, atMs) - arg_min(receivedBytes, atMs)) / 1.024 / nullif(max(atMs) - min(atMs), 0)
    AS receivedKiBps
FROM samples_in_window JOIN processes USING (trial, process)
WHERE type = 'network'
GROUP BY ALL;
