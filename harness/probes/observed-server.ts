/** A server that somebody else runs, as far as it can be seen: its process or container on this machine, or its own words. */
import { nowMs } from '../../infra/clock.ts';
import { runTool } from '../../infra/process/child.ts';
import { UserError } from '../../results/user-error.ts';
import type { Observed } from '../experiment/servers.ts';
import { memoryBytesOf, processTree, TreeCpu } from './process-tree.ts';

/** Of the server and all that it started, since some moment before; null: not known. */
export interface ServerCosts {
  /** When the system was asked. */
  atMs: number;
  cpuMs: number | null;
  /** How long its threads were ready while others had the cores. */
  waitedMs: number | null;
  memoryBytes: number | null;
}

/** @throws UserError (2) if there is no such process or container, or no such figures are told */
export async function costReader({ pid, container, metrics }: Observed): Promise<() => Promise<ServerCosts>> {
  if (pid !== null) return processReader(pid, `the process ${pid} of --server-pid`);
  if (container !== null) return processReader(await pidOf(container), `the container ${container}`);
  const read = () => readMetrics(metrics!);
  await read();
  return () => read().catch(() => ({ atMs: nowMs(), cpuMs: null, waitedMs: null, memoryBytes: null }));
}

function processReader(pid: number, what: string): () => Promise<ServerCosts> {
  if (processTree(pid).length === 0) {
    throw new UserError(`${what} is not on this machine, or cannot be seen (that takes Linux)`);
  }
  const cpu = new TreeCpu([pid]);
  return async () => {
    const [cpuMs, waitedMs, atMs] = [cpu.readMs(), cpu.waitedMs(), nowMs()];
    return { atMs, cpuMs, waitedMs, memoryBytes: await memoryBytesOf(cpu.pids) };
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

/** @throws UserError (2) if it is no Prometheus text, or does not tell CPU */
async function readMetrics(url: string): Promise<ServerCosts> {
  const problem = (what: string) => new UserError(`${url}: ${what}`);
  const text = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    (answer) => {
      if (!answer.ok) throw problem(`answered with HTTP ${answer.status}`);
      return answer.text();
    },
    (error: Error) => {
      throw problem(`no metrics came (${error.message})`);
    },
  );
  const cpuSeconds = seriesOf(text, CPU_SECONDS);
  if (cpuSeconds === null)
    throw problem(`no Prometheus text with ${CPU_SECONDS}; it begins ${JSON.stringify(text.slice(0, 40))}`);
  return { atMs: nowMs(), cpuMs: 1000 * cpuSeconds, waitedMs: null, memoryBytes: seriesOf(text, MEMORY_BYTES) };
}

/** Name, labels, value. A label's value stands in quotes, and may hold what ends the labels. */
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?\s+(\S+)/;

/** The sum of a series over its labels; null if it is not there. Source: Prometheus’ text exposition format 0.0.4 */
export function seriesOf(text: string, name: string): number | null {
  const values = text.split('\n').flatMap((line) => {
    const [, series, value] = line.match(SAMPLE) ?? [];
    return series === name && Number.isFinite(Number(value)) ? [Number(value)] : [];
  });
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}
