-- Rows: signs that the harness itself was the limit. `measured_so_far`: the measured window, or the part of it that the
--       trial reached, or else of the warm-up, one row per trial; `drivers`: each user's driver, the process that types, one row per user
--       (`isWorker`: the editors are in that process too, without a browser); `driver_lags_at(p)`: each driver's own
--       lateness, one row per driver; `saturated_drivers`: the worst driver of each trial, if it is too late;
--       `stalled_drivers`: the worst one of a trial without such, if it stood still now and then; `late_delay_lines`: the
--       worst delay line of a trial, if it is too late; `busy_machines`: trials whose coordinator's machine was busy
--       throughout; `busy_starts`: trials whose server or users started too late, on a machine that was full meanwhile;
--       `stolen_machines`: trials with a machine whose hypervisor gave too much of it to others;
--       `throttled_processes`: those whose control group held them up; `late_crowds`: trials whose recorded crowd was not
--       played on time; `waiting_servers`: trials in which the server, waiting for a core, had no time left; `busy_gates`:
--       trials in which the harness's process before a server that is a program of its own was at its limit.
-- Units: ms; `busyPercent`: 100 = every core busy; `cpuPercent`: of one core; `stealPercent`: of all cores' time; `throttledPercent`: of one core.
-- Rule: a driver's own part of the lag is taken at the 95th percentile of the edits that fell due in the window: what is
--       late once in a while limits nobody's typing. The users of one host share a driver, which stands in the record of
--       the first of them, and one that is too slow must not go unseen among many that are not. Where no driver has enough
--       edits for a percentile, all are taken together. A user who has a process without a browser alone is late by
--       the framework's work only, so such a process is no driver that could be too slow.
--       A stall that takes under 5 % of the time shows at the 99th percentile, if there are edits enough for one: 100 ms
--       there is what "fully functional" allows the median of what a person feels.
--       The limit at the 95th: a third of the interval between two keys at 6 keys per second.
--       The time after the measured window is calmer, and would hide a machine that was busy in it. From 95 % on the
--       machine as a whole is as likely the limit as the framework. Of a start, time that the hypervisor took counts too: a
--       server that never listens leaves the machine idle, or fills a core of it.
--       A crowd's lateness is no part of its sigils' latencies, but shifts the load: 20 ms is a third of what a receive
--       batch and a key's own interval average out.
--       An edit passes two delay lines. So each may be late by half of what clocks may be wrong (5 ms), at the median, and by
--       half of what a driver may be late (50 ms), at the 95th percentile.
--       A disturbance of 5 % of the time can be all that a 95th percentile shows: so much may a hypervisor take at most.
--       The same holds for a control group, which may be held up on one core alone; but its limit may have been asked for.
--       A server whose threads took and waited for 90 % of a core together had as good as no time left. Where they waited for
--       a tenth of one, a machine with more cores would have left it some, so what it did too late is this machine's limit. What
--       its control group held up waits too, as it may have been asked to. Of several servers the busiest is judged, which
--       waited for as large a part of what all waited for as it took of their CPU.
--       A gate is one event loop, and users wait for it as for the server behind it. Where it has a fifth of its time left,
--       nothing waits long.
CREATE MACRO driver_lag_limit_ms() AS 50;
CREATE MACRO driver_stall_limit_ms() AS 100;
CREATE MACRO delay_line_median_limit_ms() AS 2.5;
CREATE MACRO delay_line_p95_limit_ms() AS 25;
CREATE MACRO machine_busy_percent() AS 95;
CREATE MACRO crowd_late_limit_ms() AS 20;
CREATE MACRO withheld_limit_percent() AS 5;
CREATE MACRO gate_busy_limit_percent() AS 80;
CREATE MACRO server_wait_limit_percent() AS 10;

CREATE VIEW measured_so_far AS
SELECT
  trial,
  coalesce(
    any_value(reached.fromMs),
    min(phases.fromMs) FILTER (phase = 'measure'),
    min(phases.fromMs) FILTER (phase = 'warm-up')
  ) AS fromMs,
  coalesce(min(phases.toMs) FILTER (phase = 'measure'), 'infinity'::DOUBLE) AS toMs
FROM phases LEFT JOIN reached_windows AS reached USING (trial)
WHERE phase IN ('warm-up', 'measure')
GROUP BY trial;

CREATE TABLE drivers AS
SELECT
  trial,
  process,
  driver,
  bool_or(hasLoop) OVER (PARTITION BY trial, driver) AS isWorker,
  count(*) OVER (PARTITION BY trial, driver) AS users
FROM (
  SELECT *, sum((hasDriver OR hasLoop)::INTEGER) OVER (PARTITION BY trial ORDER BY process) AS driver
  FROM (
    SELECT trial, process, coalesce(hasDriver, false) AS hasDriver, coalesce(hasLoop, false) AS hasLoop
    FROM replicas
      LEFT JOIN (SELECT DISTINCT trial, process, true AS hasDriver FROM line.resources WHERE "of" = 'driver') AS driving
        USING (trial, process)
      LEFT JOIN (SELECT DISTINCT trial, process, true AS hasLoop FROM line.loop_delay) AS looping USING (trial, process)
  )
);

CREATE MACRO driver_lags_at(p) AS TABLE
WITH lags AS (
  SELECT trial, driver, unnest(driverLagMs) AS lagMs
  FROM typing_lines
    JOIN drivers USING (trial, process)
    JOIN measured_so_far USING (trial)
    LEFT JOIN clocks USING (trial, process)
  WHERE NOT (isWorker AND drivers.users = 1)
    AND atMs + coalesce(offsetMs, 0) >= fromMs AND atMs + coalesce(offsetMs, 0) < toMs
),
apart AS (
  SELECT trial, driver, count(*)::INTEGER AS edits, quantile_cont(lagMs, p) AS lateMs
  FROM lags
  GROUP BY ALL
  HAVING enough_for(p, edits)
),
together AS (
  SELECT trial, count(*)::INTEGER AS edits, quantile_cont(lagMs, p) AS lateMs
  FROM lags ANTI JOIN apart USING (trial)
  GROUP BY ALL
)
SELECT trial, list(process::VARCHAR ORDER BY process) AS processes, any_value(edits) AS edits, any_value(lateMs) AS lateMs
FROM apart JOIN drivers USING (trial, driver)
GROUP BY trial, driver
UNION ALL
SELECT trial, list(process::VARCHAR ORDER BY process), any_value(edits), any_value(lateMs)
FROM together JOIN drivers USING (trial)
GROUP BY trial;

CREATE TABLE saturated_drivers AS
SELECT trial, processes, lateMs, driver_lag_limit_ms() AS limitMs
FROM driver_lags_at(0.95)
WHERE lateMs > driver_lag_limit_ms()
QUALIFY row_number() OVER (PARTITION BY trial ORDER BY lateMs DESC, processes) = 1;

CREATE VIEW stalled_drivers AS
SELECT trial, processes, lateMs, driver_stall_limit_ms() AS limitMs
FROM driver_lags_at(0.99) ANTI JOIN saturated_drivers USING (trial)
WHERE lateMs > driver_stall_limit_ms() AND enough_for(0.99, edits)
QUALIFY row_number() OVER (PARTITION BY trial ORDER BY lateMs DESC, processes) = 1;

CREATE VIEW late_delay_lines AS
SELECT trial, process, medianMs, p95Ms, [delay_line_median_limit_ms(), delay_line_p95_limit_ms()]::DOUBLE[] AS limitsMs
FROM delay_line_lateness
WHERE process IS NOT NULL AND (medianMs > delay_line_median_limit_ms() OR p95Ms > delay_line_p95_limit_ms())
QUALIFY row_number() OVER (PARTITION BY trial ORDER BY medianMs DESC, p95Ms DESC, process) = 1;

CREATE VIEW stolen_machines AS
SELECT trial, max(stealPercent) AS stealPercent, withheld_limit_percent() AS limitPercent
FROM withheld_use
GROUP BY trial
HAVING max(stealPercent) >= withheld_limit_percent();

CREATE VIEW throttled_processes AS
SELECT trial, process, throttledPercent FROM withheld_use WHERE throttledPercent >= withheld_limit_percent();

CREATE VIEW busy_machines AS
SELECT
  trial,
  arg_max(cores, atMs) AS cores,
  100 * (arg_max(cpuMs, atMs) - arg_min(cpuMs, atMs)) / nullif(max(atMs) - min(atMs), 0) / arg_max(cores, atMs) AS busyPercent
FROM line.resources JOIN measured_so_far USING (trial)
WHERE "of" = 'machine' AND process::VARCHAR = 'coordinator' AND atMs >= fromMs AND atMs <= toMs
GROUP BY trial
HAVING busyPercent >= machine_busy_percent();

CREATE VIEW busy_starts AS
WITH starts AS (
  SELECT trial, max(phases.fromMs) AS fromMs, any_value(trial_failures.atMs) AS toMs
  FROM phases JOIN trial_failures USING (trial)
  WHERE code IN ('server-late', 'never-ready')
  GROUP BY trial
)
SELECT
  trial,
  arg_max(cores, atMs) AS cores,
  100 * (arg_max(takenMs, atMs) - arg_min(takenMs, atMs)) / nullif(max(atMs) - min(atMs), 0) / arg_max(cores, atMs) AS busyPercent
FROM (
  SELECT trial, atMs, machine.cores AS cores, cpuMs + coalesce(stealMs, 0) AS takenMs
  FROM line.resources AS machine LEFT JOIN line.withheld USING (trial, process, atMs)
  WHERE "of" = 'machine' AND process::VARCHAR = 'coordinator'
)
  JOIN starts USING (trial)
WHERE atMs >= fromMs AND atMs <= toMs
GROUP BY trial
HAVING busyPercent >= machine_busy_percent();

CREATE VIEW waiting_servers AS
SELECT trial, share * reached_use.cpuPercent AS cpuPercent, share * reached_use.waitedPercent AS waitedPercent
FROM reached_use ANTI JOIN throttled_processes USING (trial, process) JOIN busiest_servers USING (trial)
WHERE "of" = 'server' AND share * (reached_use.cpuPercent + reached_use.waitedPercent) >= used_up_percent()
  AND share * reached_use.waitedPercent >= server_wait_limit_percent();

CREATE VIEW late_crowds AS
SELECT trial, crowdLateMs AS lateMs, crowd_late_limit_ms() AS limitMs
FROM reached_crowd_lateness
WHERE crowdLateMs > crowd_late_limit_ms();

CREATE VIEW busy_gates AS
-- Of several servers each has its own, and they are told together: the busiest one's is judged.
SELECT trial, coalesce(share, 1) * cpuPercent AS cpuPercent, gate_busy_limit_percent() AS limitPercent
FROM reached_use JOIN busiest_servers USING (trial)
WHERE "of" = 'gate' AND coalesce(share, 1) * cpuPercent > gate_busy_limit_percent();
