/** A server that somebody else runs, as far as it can be seen: its process or container on this machine, or its own words. */
import { nowMs } from '../../infra/clock.ts';
import { runTool } from '../../infra/process/child.ts';
import { readProcessStat } from '../../infra/process/stat.ts';
import type { RecordOf } from '../../results/formats/records.ts';
import { nearestFirst } from '../../results/nearest.ts';
import { messageOf, UserError } from '../../results/user-error.ts';
import type { Observed } from '../experiment/servers.ts';
import { createLagReader, MetricsPage } from './metrics-page.ts';
import { processTree, TreeCpu } from './process-tree.ts';
import type { GroupedDelays } from './this-process.ts';

/** Of the server and all that it started, since some moment before; null: not known, as once its process has ended. */
interface ProcessCosts {
  /** When the system was asked. */
  atMs: number;
  cpuMs: number | null;
  /** How long its threads were ready while others had the cores. */
  waitedMs: number | null;
  /** Null also if it was not read this time. */
  memoryBytes: number | null;
}

export interface ServerCosts extends ProcessCosts {
  /** When its metrics came, which tell what follows; absent: none came. */
  toldAtMs?: number;
  /** Of its event loop, since the metrics were read before. */
  delays: GroupedDelays | null;
  /** Those that were asked for and are told. */
  series: RecordOf<'server-series'>['series'];
}

const UNTOLD = { cpuMs: null, waitedMs: null, memoryBytes: null, delays: null, series: [] };

/**
 * Its process tells CPU and memory, or else its metrics do; these tell all else.
 *
 * @throws UserError (2) if there is no such process or container, or no such figures are told
 */
export async function costReader(observed: Observed): Promise<() => Promise<ServerCosts>> {
  const ofProcess = await processReader(observed);
  const ofMetrics = await metricsReader(observed);
  return async () => {
    const [process, told] = await Promise.all([ofProcess?.(), ofMetrics?.()]);
    return { ...UNTOLD, atMs: nowMs(), ...told, ...process, toldAtMs: told?.atMs };
  };
}

async function processReader({ pid: given, container }: Observed): Promise<(() => Promise<ProcessCosts>) | null> {
  if (given === null && container === null) return null;
  let pid = given ?? (await pidOf(container!));
  if (processTree(pid).length === 0) {
    const which = given === null ? `the container ${container}` : `the process ${pid} of --server-pid`;
    throw new UserError(`${which} is not on this machine, or cannot be seen (that takes Linux)`);
  }
  const cpu = new TreeCpu([pid]);
  let isThere = watchOf(pid);
  let isAsking = false;
  /** A container that was started again has another process, whose costs are added to those of before. */
  const followContainer = async () => {
    if (given !== null || isAsking) return;
    isAsking = true;
    const found = await pidOf(container!).catch(() => pid);
    isAsking = false;
    if (found === pid) return;
    pid = found;
    isThere = watchOf(pid);
    cpu.add(pid);
  };
  return async () => {
    if (!isThere()) await followContainer();
    // Its sum would stand still, as if it did nothing.
    if (!isThere()) return { atMs: nowMs(), cpuMs: null, waitedMs: null, memoryBytes: null };
    const [cpuMs, waitedMs, atMs] = [cpu.readMs(), cpu.waitedMs(), nowMs()];
    return { atMs, cpuMs, waitedMs, memoryBytes: await cpu.memoryBytes() };
  };
}

/** @returns tells if the process that has this number now is still there, and not another with its number */
function watchOf(pid: number): () => boolean {
  const startedAt = readProcessStat(pid)?.startedAt;
  return () => {
    const now = readProcessStat(pid);
    return now !== null && !now.ended && now.startedAt === startedAt;
  };
}

async function pidOf(container: string): Promise<number> {
  const asked = ['docker', 'inspect', '--format', '{{.State.Pid}}', container];
  const pid = Number(await runTool(asked).catch(() => '0'));
  if (pid > 0) return pid;
  throw new UserError(`docker knows no running container "${container}"; docker ps lists them`);
}

/** As Prometheus’ client libraries name them, in every language. */
const CPU_SECONDS = 'process_cpu_seconds_total';
const MEMORY_BYTES = 'process_resident_memory_bytes';
const ANSWER_MS = 5000;
/** Ten times a large server's; unpacked, as it may come compressed. */
const MOST_PAGE_BYTES = 16 * 2 ** 20;
/** A page that was asked for holds the pause that keeps it waiting, and the next one no longer. */
const LONGEST_PAUSE_MS = 60_000;

async function metricsReader(observed: Observed): Promise<(() => Promise<ServerCosts>) | null> {
  const { metrics: url, series } = observed;
  if (url === null) return null;
  refuseLacking(observed, await readText(url, ANSWER_MS));
  const readDelays = createLagReader();
  let lastMs = nowMs();
  let isAsking = false;
  return async () => {
    if (isAsking) return { ...UNTOLD, atMs: nowMs() };
    isAsking = true;
    const text = await readText(url, LONGEST_PAUSE_MS).catch(() => null);
    isAsking = false;
    const atMs = nowMs();
    if (text === null) return { ...UNTOLD, atMs };
    const page = new MetricsPage(text);
    const sinceMs = atMs - lastMs;
    lastMs = atMs;
    return {
      atMs,
      cpuMs: amount(1000 * (page.sumOf(CPU_SECONDS) ?? Number.NaN)),
      waitedMs: null,
      memoryBytes: amount(Math.round(page.sumOf(MEMORY_BYTES) ?? Number.NaN)),
      delays: readDelays(page, sinceMs),
      series: series.flatMap((name): ServerCosts['series'] => {
        // A counter with labels has no sample before its first step.
        const value = page.sumOf(name) ?? (page.isCounter(name) ? 0 : null);
        return value === null ? [] : [{ name, kind: page.isCounter(name) ? 'counter' : 'gauge', value }];
      }),
    };
  };
}

/** Null if nothing can have used so much: a record that holds it would end the trial. */
function amount(value: number): number | null {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}

/** @throws UserError (2) if the server cannot be reached, refuses, stops in the middle, or does not end */
async function readText(url: string, limitMs: number): Promise<string> {
  const refuse = (error: Error): never => {
    // Of a connection that fails, the cause alone says why.
    throw new UserError(`${url}: no metrics came (${messageOf(error.cause ?? error)})`);
  };
  const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) }).catch(refuse);
  if (!answer.ok) throw new UserError(`${url}: answered with HTTP ${answer.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of answer.body ?? []) {
      bytes += part.length;
      if (bytes > MOST_PAGE_BYTES) throw new Error(`more than ${MOST_PAGE_BYTES / 2 ** 20} MiB came`);
      parts.push(part);
    }
  } catch (error) {
    return refuse(error as Error);
  }
  return Buffer.concat(parts).toString();
}

/** So many names are told of those that there are. */
const MOST_NAMES = 10;

/** @throws UserError (2) if it is no Prometheus text, does not tell CPU and nothing else does or is asked for, or lacks a series */
function refuseLacking({ metrics: url, series, pid, container }: Observed, text: string): void {
  const page = new MetricsPage(text);
  const { names } = page;
  const needsCpu = pid === null && container === null && series.length === 0;
  if (names.length === 0 || (needsCpu && page.sumOf(CPU_SECONDS) === null)) {
    const wanted = needsCpu ? ` with ${CPU_SECONDS}` : '';
    throw new UserError(`${url}: no Prometheus text${wanted}; it begins ${JSON.stringify(text.slice(0, 40))}`);
  }
  const lacking = series.find((name) => !names.includes(name));
  if (lacking === undefined) return;
  const listed = nearestFirst(lacking, names).slice(0, MOST_NAMES).join(', ');
  const which = names.length > MOST_NAMES ? `the nearest of ${names.length}: ` : '';
  throw new UserError(`${url}: it tells no series "${lacking}"; write one of ${which}${listed}`);
}
