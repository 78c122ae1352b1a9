/** The scenario `replay` compared to a bare loop over the same library. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planDocuments } from '../../documents/plan.ts';
import { runDocuments } from '../../documents/run.ts';
import { resolveDocuments } from '../../harness/experiment/experiment-file.ts';
import { runCommand } from '../../infra/process/child.ts';
import { alignTable } from '../../results/text-table.ts';

/** Those that have a bare loop: see bare-replay-main.ts. */
const LIBRARIES = ['yjs', 'loro', 'json-joy', 'automerge'];
const BARE = join(import.meta.dirname, 'bare-replay-main.ts');

/**
 * In turns, so that a machine that slows down slows both.
 *
 * @param trace  such as `automerge-paper`
 * @param rounds pairs of each library; their medians are set side by side
 * @returns      a table
 */
export async function benchReplay({ trace, rounds }: { trace: string; rounds: number }): Promise<string> {
  const rows = [];
  for (const library of LIBRARIES) {
    const pairs: { bareMs: number; scenarioMs: number; harnessNs: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const bareMs = Number(await runCommand([process.execPath, BARE, library, trace]));
      pairs.push({ bareMs, ...(await measured(library, trace)) });
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
    const bare = median(pairs.map(({ bareMs }) => bareMs));
    const scenario = median(pairs.map(({ scenarioMs }) => scenarioMs));
    const harness = median(pairs.map(({ harnessNs }) => harnessNs));
    rows.push([library, bare.toFixed(0), scenario.toFixed(0), (scenario / bare).toFixed(2), harness.toFixed(0)]);
  }
  return alignTable([['library', 'bare loop ms', 'replay ms', 'ratio', 'harness ns/edit'], ...rows]);
}

async function measured(engine: string, trace: string): Promise<{ scenarioMs: number; harnessNs: number }> {
  const written = { scenario: 'replay', engines: [engine], observe: ['edits'], trials: 1, trace };
  const experiment = resolveDocuments(written, { scenario: 'replay' });
  const directory = await mkdtemp(join(tmpdir(), 'bench-replay-'));
  try {
    const { summary } = await runDocuments({
      experiment,
      plan: await planDocuments(experiment, () => {}),
      directory,
      resume: false,
      signal: new AbortController().signal,
      observer: { onNotice() {}, onTrial() {}, onVerdict() {} },
    });
    const [cell] = summary.cells;
    if (cell?.verdict !== 'valid') throw new Error(`${engine}: ${cell?.reasons.join('; ')}`);
    return { scenarioMs: Number(cell.applyMs), harnessNs: Number(cell.harnessNsPerEdit) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
