-- Rows: `page_speeds`: the probes of trials in which some pages are slowed down, one row each, with whether its own is;
--       `slowed_pages`: how many of them, one row per trial.
CREATE VIEW page_speeds AS
SELECT trial, process, cpuSlowdown IS NOT NULL AS isSlow
FROM processes
  SEMI JOIN probes USING (trial, process)
  SEMI JOIN (FROM processes WHERE cpuSlowdown IS NOT NULL) AS slowed USING (trial);

CREATE VIEW slowed_pages AS
SELECT trial, (count(*) FILTER (isSlow))::INTEGER AS pages, count(*)::INTEGER AS ofAll FROM page_speeds GROUP BY trial;

-- Rows: `samples`: every sample whose quantiles are figures, one row each, named as the figure is in `summary.json`.
-- Units: ms.
-- Rule: the samples of the measured window.
CREATE VIEW samples AS
SELECT trial, 'localLatencyMs' AS figure, localLatencyMs AS sample FROM own_latencies
UNION ALL SELECT trial, 'responseTimeMs', responseTimeMs FROM own_latencies
UNION ALL SELECT trial, 'endToEndLatencyMs', endToEndLatencyMs FROM end_to_end_latencies
UNION ALL
SELECT trial, CASE WHEN fromCrowd THEN 'endToEndFromCrowdMs' ELSE 'endToEndAmongProbesMs' END, endToEndLatencyMs
FROM end_to_end_latencies SEMI JOIN (FROM trials WHERE crowd IS NOT NULL) AS crowded USING (trial)
UNION ALL
SELECT trial, CASE change WHEN 'deleted' THEN 'deletionLatencyMs' ELSE 'formatLatencyMs' END, latencyMs
FROM sigil_changes
WHERE latencyMs IS NOT NULL
UNION ALL
SELECT trial, 'endToEndLessBatchMs', lessBatchMs FROM end_to_end_latencies WHERE fromCrowd AND lessBatchMs IS NOT NULL
UNION ALL
SELECT trial, CASE WHEN isSlow THEN 'slowPagesLocalLatencyMs' ELSE 'otherPagesLocalLatencyMs' END, localLatencyMs
FROM own_latencies JOIN page_speeds USING (trial) WHERE sender = process
UNION ALL
SELECT trial, CASE WHEN isSlow THEN 'slowPagesEndToEndMs' ELSE 'otherPagesEndToEndMs' END, endToEndLatencyMs
FROM end_to_end_latencies JOIN page_speeds USING (trial) WHERE receiver = process
UNION ALL
SELECT trial, CASE WHEN isSameServer THEN 'endToEndSameServerMs' ELSE 'endToEndOtherServerMs' END, endToEndLatencyMs FROM server_latencies
UNION ALL SELECT trial, 'textAgeMs', ageMs FROM text_ages
UNION ALL SELECT trial, 'keyLatencyMs', keyLatencyMs FROM key_latencies
UNION ALL SELECT trial, 'interactionToNextPaintMs', interactionToNextPaintMs FROM key_interactions
UNION ALL SELECT trial, 'serverLoopDelayMs', delayMs FROM server_loop_delays
UNION ALL SELECT trial, 'scheduleLagMs', lagMs FROM schedule_lags;

-- Rows: `edit_counts`: edits made at the probes' own screens (`own`), and others' edits that reached them (`remote`), one row
--       per trial.
-- Units: edits in the measured window.
-- Rule: every edit, the crowd's too, is one's own at one user at most, and another's at all other probes. Null for none.
CREATE VIEW edit_counts AS
SELECT
  trial,
  nullif(sum(performed) FILTER (NOT isCrowd), 0)::DOUBLE AS own,
  nullif(sum(performed) * any_value(users) - coalesce(sum(performed) FILTER (NOT isCrowd), 0), 0)::DOUBLE AS remote
FROM throughput JOIN user_counts USING (trial)
GROUP BY trial;

-- Rows: `resource_figures`: CPU and memory of server and users in the measured window, one row per trial.
-- Units: percent of one core, per user if the name says user; the drivers' for all users together; MiB;
--        `machineCpuPercent`: 100 = every core busy; `driverCpuMsPerEdit`, `userCpuMsPerRemoteEdit`: ms of CPU.
-- Rule: Chrome's figures are divided by the users that it serves, the drivers' are summed; both are known only where
--       those of all users are, for the hosts that are missing may be the busy ones.
--       `serverIdleCpuPercent` is from before anyone typed.
CREATE VIEW resource_figures AS
WITH used AS (
  SELECT
    trial,
    sum(cpuPercent) FILTER ("of" = 'server') AS serverCpuPercent,
    sum(waitedPercent) FILTER ("of" = 'server') AS serverWaitPercent,
    sum(memoryMiB) FILTER ("of" = 'server') AS serverMemoryMiB,
    sum(cpuPercent) FILTER ("of" = 'chrome') AS chromeCpuPercent,
    sum(users) FILTER ("of" = 'chrome' AND cpuPercent IS NOT NULL) AS usersOfChromeCpu,
    sum(memoryMiB) FILTER ("of" = 'chrome') AS chromeMemoryMiB,
    sum(users) FILTER ("of" = 'chrome' AND memoryMiB IS NOT NULL) AS usersOfChromeMemory,
    sum(cpuPercent) FILTER ("of" = 'driver') AS driversCpuPercent,
    sum(users) FILTER ("of" = 'driver' AND cpuPercent IS NOT NULL) AS usersOfDrivers
  FROM resource_use
  GROUP BY trial
)
SELECT
  trial,
  serverCpuPercent,
  serverWaitPercent,
  serverIdleCpuPercent,
  serverMemoryMiB,
  CASE WHEN usersOfChromeCpu >= user_counts.users THEN chromeCpuPercent / usersOfChromeCpu END AS userCpuPercent,
  CASE WHEN usersOfChromeCpu >= user_counts.users
    THEN chromeCpuPercent / usersOfChromeCpu * user_counts.users / 100 * (toMs - fromMs) / remote
  END AS userCpuMsPerRemoteEdit,
  CASE WHEN usersOfChromeMemory >= user_counts.users THEN chromeMemoryMiB / usersOfChromeMemory END AS userMemoryMiB,
  CASE WHEN usersOfDrivers >= user_counts.users THEN driversCpuPercent END AS driverCpuPercent,
  driverCpuPercent / 100 * (toMs - fromMs) / own AS driverCpuMsPerEdit,
  machineCpuPercent
FROM user_counts
  JOIN windows USING (trial)
  LEFT JOIN used USING (trial)
  LEFT JOIN edit_counts USING (trial)
  LEFT JOIN idle_use USING (trial)
  LEFT JOIN machine_use USING (trial);

-- Rows: `network_figures`: WebSocket payload in the measured window, one row per trial.
-- Units: KiB per second, a user's the mean of the users; bytes per edit.
-- Rule: every edit is one's own at one user, and another's at all the rest; a crowd's is another's at all probes. Bytes per edit are sums over users, and so
--       known only if those of all users are.
--       Deflated bytes are these by what compression leaves of the messages sampled.
CREATE VIEW network_figures AS
WITH used AS (
  SELECT
    trial,
    avg(sentKiBps) FILTER (role = 'user') AS userSentKiBps,
    avg(receivedKiBps) FILTER (role = 'user') AS userReceivedKiBps,
    count(sentKiBps) FILTER (role = 'user') AS usersOfSent,
    count(receivedKiBps) FILTER (role = 'user') AS usersOfReceived,
    sum(sentKiBps) FILTER (role = 'user') AS usersSentKiBps,
    sum(receivedKiBps) FILTER (role = 'user') AS usersReceivedKiBps,
    sum(sentKiBps) FILTER (role = 'server') AS serverSentKiBps,
    sum(receivedKiBps) FILTER (role = 'server') AS serverReceivedKiBps
  FROM network_use
  GROUP BY trial
)
SELECT
  trial,
  userSentKiBps,
  userReceivedKiBps,
  CASE WHEN usersOfSent = users THEN usersSentKiBps * (toMs - fromMs) / 1000 * 1024 / own END AS userSentBytesPerEdit,
  CASE WHEN usersOfReceived = users THEN usersReceivedKiBps * (toMs - fromMs) / 1000 * 1024 / remote END
    AS userReceivedBytesPerEdit,
  userSentBytesPerEdit * sentLeft AS userSentDeflatedBytesPerEdit,
  userReceivedBytesPerEdit * receivedLeft AS userReceivedDeflatedBytesPerEdit,
  serverSentKiBps,
  serverReceivedKiBps
FROM used
  JOIN user_counts USING (trial)
  JOIN windows USING (trial)
  LEFT JOIN edit_counts USING (trial)
  LEFT JOIN compression USING (trial);

-- Rows: `clock_errors`: the bound on the error of two users' clocks against each other, one row per trial.
-- Units: ms.
-- Rule: the two users whose clocks are known worst make the worst pair; one user alone makes none.
CREATE VIEW clock_errors AS
SELECT trial, CASE WHEN count(*) > 1 THEN list_sum(max(errorMs, 2)) END AS clockErrorMs
FROM clocks JOIN processes USING (trial, process)
WHERE role = 'user'
GROUP BY trial;

-- Rows: `trial_figures`: a trial's figures, without those that are quantiles of `samples`, and the counts that shares are
--       made of, one row per trial.
-- Units: as the names say; edits (`offered`, `performed`, `keysDue`, `promptKeys`); sigils (`sent`, `broken`, `sigilsSeen`, `offeredSigils`, `sigilsForOthers`, `prompt`); receipts (`expected`, `arrived`, and
--        and those that each filter removed); characters.
-- Rule: all columns of the views that are joined here, so that a figure is written there alone. Counts of nothing are 0, what was not measured is null. `frameworkVersion` is one, unless processes on several
--       machines have not the same installed. Saved states and documents are the users' mean.
CREATE VIEW trial_figures AS
WITH ran AS (
  SELECT trial, string_agg(DISTINCT frameworkVersion, ', ' ORDER BY frameworkVersion) AS frameworkVersion
  FROM processes
  GROUP BY trial
),
typed AS (
  SELECT
    trial,
    sum(offered)::DOUBLE AS offered,
    sum(performed)::DOUBLE AS performed,
    min(100 * performed / offered) AS worstUserThroughputPercent,
    avg(1000 * insertedCharacters / (toMs - fromMs)) AS insertedCharactersPerSecond,
    max(largestEdit) AS largestEditCharacters
  FROM throughput JOIN windows USING (trial)
  WHERE NOT isCrowd
  GROUP BY trial
),
senders AS (
  SELECT
    trial,
    count(DISTINCT sigil) FILTER (NOT fromCrowd)::DOUBLE AS sigilsSeenAmongProbes,
    count(DISTINCT sigil) FILTER (fromCrowd)::DOUBLE AS sigilsSeenFromCrowd
  FROM end_to_end_latencies SEMI JOIN (FROM trials WHERE crowd IS NOT NULL) AS crowded USING (trial)
  GROUP BY trial
),
receivers AS (
  SELECT
    trial,
    count(DISTINCT sigil) FILTER (isSlow)::DOUBLE AS sigilsSeenAtSlowPages,
    count(DISTINCT sigil) FILTER (NOT isSlow)::DOUBLE AS sigilsSeenAtOtherPages
  FROM end_to_end_latencies JOIN page_speeds USING (trial)
  WHERE receiver = process
  GROUP BY trial
),
busiest AS (
  SELECT trial, max(longTaskPercent) AS worstUserLongTaskPercent FROM long_task_shares GROUP BY trial
),
ended AS (
  SELECT
    trial,
    avg(savedStateKiB) AS savedStateKiB,
    avg(quillStateKiB) AS quillStateKiB,
    avg(characters) AS documentCharacters
  FROM documents
  GROUP BY trial
)
SELECT
  trial,
  frameworkVersion,
  coalesce(offered, 0) AS offered,
  coalesce(performed, 0) AS performed,
  typed.* EXCLUDE (trial, offered, performed),
  coalesce(sent, 0) AS sent,
  coalesce(broken, 0) AS broken,
  coalesce(seen, 0) AS sigilsSeen,
  senders.* EXCLUDE (trial),
  receivers.* EXCLUDE (trial),
  sigils_in_time.* EXCLUDE (trial),
  keys_in_time.* EXCLUDE (trial),
  textSamples,
  textsInTime,
  change_figures.* EXCLUDE (trial),
  busiest.* EXCLUDE (trial),
  coalesce(expected, 0) AS expected,
  coalesce(arrived, 0) AS arrived,
  filtered.* EXCLUDE (trial),
  clock_errors.* EXCLUDE (trial),
  resource_figures.* EXCLUDE (trial),
  network_figures.* EXCLUDE (trial),
  server_memory.* EXCLUDE (trial),
  page_memory.* EXCLUDE (trial),
  crowd_use.* EXCLUDE (trial),
  company_figures.* EXCLUDE (trial),
  crowdLateMs,
  delay_line_figures.* EXCLUDE (trial),
  withheld_figures.* EXCLUDE (trial),
  machine_speeds.* EXCLUDE (trial),
  ended.* EXCLUDE (trial)
FROM ran
  LEFT JOIN typed USING (trial)
  LEFT JOIN arrived USING (trial)
  LEFT JOIN sigils_in_time USING (trial)
  LEFT JOIN keys_in_time USING (trial)
  LEFT JOIN text_figures USING (trial)
  LEFT JOIN change_figures USING (trial)
  LEFT JOIN senders USING (trial)
  LEFT JOIN receivers USING (trial)
  LEFT JOIN busiest USING (trial)
  LEFT JOIN filtered USING (trial)
  LEFT JOIN clock_errors USING (trial)
  LEFT JOIN resource_figures USING (trial)
  LEFT JOIN network_figures USING (trial)
  LEFT JOIN server_memory USING (trial)
  LEFT JOIN page_memory USING (trial)
  LEFT JOIN crowd_use USING (trial)
  LEFT JOIN company_figures USING (trial)
  LEFT JOIN crowd_lateness USING (trial)
  LEFT JOIN delay_line_figures USING (trial)
  LEFT JOIN withheld_figures USING (trial)
  LEFT JOIN machine_speeds USING (trial)
  LEFT JOIN ended USING (trial);
