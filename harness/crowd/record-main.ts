/** The process that records one crowd: it lives on a virtual clock, and ends when its recording is written. */
import { watchWasmMemory } from '../../editors/base/instrument/wasm-memory.ts';
import type { CrowdPlan } from './crowd-plan.ts';
import { createVirtualClock, replaceGlobals } from './virtual-clock.ts';

export interface RecordOrder {
  plan: CrowdPlan;
  /** Where the recording goes: a folder that is not there yet. */
  folder: string;
}

/** `wasmMiB`: what the libraries' WebAssembly held when it failed, for all simulated users together. */
export type RecordReport =
  | { type: 'progress'; typedMs: number }
  | { type: 'written' }
  | { type: 'failed'; message: string; wasmMiB: number };

const report = (message: RecordReport) => process.send!(message);
const wasmBytes = watchWasmMemory(globalThis);

// The parent is gone, or has its recording.
process.once('disconnect', () => process.exit());
process.once('message', async (order: RecordOrder) => {
  try {
    await record(order);
    report({ type: 'written' });
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report({ type: 'failed', message, wasmMiB: wasmBytes() / 2 ** 20 });
  }
  process.disconnect();
});

async function record({ plan, folder }: RecordOrder): Promise<void> {
  const { framework, seed, typingMs } = plan.key;
  const clock = createVirtualClock();
  replaceGlobals(clock, seed);
  // Only now: libraries keep what they find in their surroundings when they are loaded.
  const { crowdOf } = await import('../../editors/base/framework.ts');
  const { assignmentsOf, crowdStart } = await import('./crowd-plan.ts');
  const { createVirtualNetwork } = await import('./virtual-sockets.ts');
  const { simulateCrowd } = await import('./simulation.ts');
  const { writeRecording } = await import('./recording.ts');
  const network = createVirtualNetwork(clock);
  globalThis.WebSocket = network.WebSocket;
  const { findFramework } = await import('../../frameworks/discover.ts');
  const { loadClient, loadServer } = await import('../../frameworks/framework.ts');
  const found = await findFramework(framework);
  const client = await loadClient(found);
  const server = await loadServer(found);
  const assignments = await assignmentsOf(plan);
  const onProgress = (typedMs: number) => report({ type: 'progress', typedMs });
  const crowd = await simulateCrowd({
    client,
    server,
    crowd: crowdOf(found.about)!,
    clock,
    network,
    assignments,
    startText: await crowdStart(plan.experiment),
    typingMs,
    onProgress,
  });
  await writeRecording(folder, { key: plan.key, ...crowd });
}
