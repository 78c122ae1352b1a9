/** What one trial's records say: raw samples for pooling, and the figures that are means or rates. */
import type { RecordsDatabase } from './database.ts';
import { type Bucket, readBuckets } from './trial-series.ts';

/** Null where nothing was measured. Samples are in ascending order. */
export interface TrialFigures {
  version: string;
  localLatenciesMs: Float64Array;
  responseTimesMs: Float64Array;
  endToEndLatenciesMs: Float64Array;
  scheduleLagsMs: Float64Array;
  edits: { offered: number; performed: number; worstUserPercent: number | null };
  /** Of the measured window's sigils: how many there were, how many were broken, and on other screens the unbroken ones. */
  sigils: { sent: number; broken: number; expected: number; arrived: number };
  filtered: { neverSent: number; beforeSent: number; repeated: number; outOfOrder: number };
  resources: {
    serverCpuPercent: number | null;
    serverMemoryMiB: number | null;
    userCpuPercent: number | null;
    userMemoryMiB: number | null;
    driverCpuPercent: number | null;
    driverCpuMsPerEdit: number | null;
    machineCpuPercent: number | null;
  };
  network: {
    userSentKiBps: number | null;
    userReceivedKiBps: number | null;
    userSentBytesPerEdit: number | null;
    userReceivedBytesPerEdit: number | null;
    serverSentKiBps: number | null;
    serverReceivedKiBps: number | null;
  };
  documents: { savedStateKiB: number | null; quillStateKiB: number | null; documentCharacters: number | null };
  /** The bound on the error of two users' clocks against each other, for the worst pair. */
  clockErrorMs: number | null;
  /** The user whose clock is known worst, and how well. */
  worstClock: { process: string; errorMs: number } | null;
  /**
   * False where nothing can be said of the server: it left no record (a service outside, or a record that was lost), or
   * none whose instants can be placed, as its clock was never measured.
   */
  hasServer: boolean;
  /** The whole time of typing, in order. */
  buckets: Bucket[];
}

/**
 * Reads the figures of the one trial that is open, which is valid.
 *
 * @throws UserError (exit code 2) where the records hold what no query can work on, naming the trial
 */
export async function readTrialFigures(records: RecordsDatabase): Promise<TrialFigures> {
  return {
    ...(await one<{ version: string }>(records, VERSION)),
    localLatenciesMs: await records.numbers('SELECT localLatencyMs FROM own_latencies ORDER BY 1'),
    responseTimesMs: await records.numbers('SELECT responseTimeMs FROM own_latencies ORDER BY 1'),
    endToEndLatenciesMs: await records.numbers('SELECT endToEndLatencyMs FROM end_to_end_latencies ORDER BY 1'),
    scheduleLagsMs: await records.numbers('SELECT lagMs FROM schedule_lags ORDER BY 1'),
    edits: await one(records, EDITS),
    sigils: await one(records, SIGILS),
    filtered: await one(records, FILTERED),
    resources: await one(records, RESOURCES),
    network: await one(records, NETWORK),
    documents: await one(records, DOCUMENTS),
    ...(await readClocks(records)),
    ...(await one<{ hasServer: boolean }>(
      records,
      "SELECT count(*) > 0 AS hasServer FROM processes JOIN clocks USING (trial, process) WHERE role = 'server'",
    )),
    buckets: await readBuckets(records),
  };
}

/** The only row of an aggregate. */
async function one<Row extends object>(records: RecordsDatabase, sql: string): Promise<Row> {
  const [row] = await records.rows(sql);
  return row as Row;
}

/** The two users whose clocks are known worst make the worst pair. */
async function readClocks(records: RecordsDatabase): Promise<Pick<TrialFigures, 'clockErrorMs' | 'worstClock'>> {
  const [worst, second] = await records.rows<{ process: string; errorMs: number }>(WORST_CLOCKS);
  return {
    clockErrorMs: worst !== undefined && second !== undefined ? worst.errorMs + second.errorMs : null,
    worstClock: worst ?? null,
  };
}

const WORST_CLOCKS = `
  SELECT process, errorMs
  FROM clocks JOIN processes USING (trial, process)
  WHERE role = 'user' ORDER BY errorMs DESC, process LIMIT 2`;

/** One, unless processes on several machines have not the same installed. */
const VERSION = `
  SELECT string_agg(DISTINCT frameworkVersion, ', ' ORDER BY frameworkVersion) AS version FROM processes`;

const EDITS = `
  SELECT
    coalesce(sum(offered), 0)::DOUBLE AS offered,
    coalesce(sum(performed), 0)::DOUBLE AS performed,
    min(100 * performed / offered) AS worstUserPercent
  FROM throughput`;

const SIGILS = `
  SELECT
    coalesce(sum(sent), 0)::DOUBLE AS sent,
    coalesce(sum(broken), 0)::DOUBLE AS broken,
    coalesce(sum(expected), 0)::DOUBLE AS expected,
    coalesce(sum(arrived), 0)::DOUBLE AS arrived
  FROM arrived`;

const FILTERED = `
  SELECT
    coalesce(sum(neverSent), 0)::DOUBLE AS neverSent,
    coalesce(sum(beforeSent), 0)::DOUBLE AS beforeSent,
    coalesce(sum(repeated), 0)::DOUBLE AS repeated,
    coalesce(sum(outOfOrder), 0)::DOUBLE AS outOfOrder
  FROM filtered`;

/**
 * Chrome's figures are divided by the users that it serves, the drivers' are summed; both are known only where those of
 * all users are, for the hosts that are missing may be the busy ones.
 */
const RESOURCES = `
  WITH used AS (
    SELECT
      sum(cpuPercent) FILTER ("of" = 'server') AS serverCpuPercent,
      sum(memoryMiB) FILTER ("of" = 'server') AS serverMemoryMiB,
      sum(cpuPercent) FILTER ("of" = 'chrome') AS chromeCpuPercent,
      sum(users) FILTER ("of" = 'chrome' AND cpuPercent IS NOT NULL) AS usersOfChromeCpu,
      sum(memoryMiB) FILTER ("of" = 'chrome') AS chromeMemoryMiB,
      sum(users) FILTER ("of" = 'chrome' AND memoryMiB IS NOT NULL) AS usersOfChromeMemory,
      sum(cpuPercent) FILTER ("of" = 'driver') AS driversCpuPercent,
      sum(users) FILTER ("of" = 'driver' AND cpuPercent IS NOT NULL) AS usersOfDrivers
    FROM resource_use
  ),
  everyone AS (
    SELECT count(*) AS users FROM processes WHERE role = 'user'
  )
  SELECT
    serverCpuPercent,
    serverMemoryMiB,
    CASE WHEN usersOfChromeCpu >= everyone.users THEN chromeCpuPercent / usersOfChromeCpu END AS userCpuPercent,
    CASE WHEN usersOfChromeMemory >= everyone.users THEN chromeMemoryMiB / usersOfChromeMemory END AS userMemoryMiB,
    CASE WHEN usersOfDrivers >= everyone.users THEN driversCpuPercent END AS driverCpuPercent,
    driverCpuPercent / 100 * (SELECT any_value(toMs - fromMs) FROM windows)
      / (SELECT nullif(sum(performed), 0) FROM throughput) AS driverCpuMsPerEdit,
    (SELECT machineCpuPercent FROM machine_use) AS machineCpuPercent
  FROM used, everyone`;

/**
 * Every edit is one's own at one user, and another's at all the rest. Bytes per edit are sums over users, and so known
 * only where those of all users are.
 */
const NETWORK = `
  WITH edits AS (
    SELECT
      nullif(sum(performed), 0) AS own,
      nullif(sum(performed), 0) * (SELECT nullif(count(*) - 1, 0) FROM processes WHERE role = 'user') AS remote,
      (SELECT count(*) FROM processes WHERE role = 'user') AS users,
      (SELECT any_value(toMs - fromMs) / 1000 * 1024 FROM windows) AS bytesFromKiBps
    FROM throughput
  )
  SELECT
    CASE WHEN count(sentKiBps) FILTER (role = 'user') = any_value(users)
      THEN sum(sentKiBps) FILTER (role = 'user') * any_value(bytesFromKiBps) / any_value(own)
    END AS userSentBytesPerEdit,
    CASE WHEN count(receivedKiBps) FILTER (role = 'user') = any_value(users)
      THEN sum(receivedKiBps) FILTER (role = 'user') * any_value(bytesFromKiBps) / any_value(remote)
    END AS userReceivedBytesPerEdit,
    avg(sentKiBps) FILTER (role = 'user') AS userSentKiBps,
    avg(receivedKiBps) FILTER (role = 'user') AS userReceivedKiBps,
    sum(sentKiBps) FILTER (role = 'server') AS serverSentKiBps,
    sum(receivedKiBps) FILTER (role = 'server') AS serverReceivedKiBps
  FROM network_use, edits`;

const DOCUMENTS = `
  SELECT
    avg(savedStateKiB) AS savedStateKiB,
    avg(quillStateKiB) AS quillStateKiB,
    avg(characters) AS documentCharacters
  FROM documents`;
