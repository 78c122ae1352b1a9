/** The process that records one crowd: it lives on a virtual clock, and ends when its recording is written. */
import { watchWasmMemories } from '../../editors/base/instrument/wasm-memory.ts';
import type { CrowdPlan } from './crowd-plan.ts';
import { enterWorld } from './simulated-world.ts';

export interface RecordOrder {
  plan: CrowdPlan;
  /** Where the recording goes: a folder that is not there yet. */
  folder: string;
}

/** `wasmMiB`: what the fullest memory of WebAssembly held when it failed; each is of several simulated users. */
export type RecordReport =
  | { type: 'progress'; typedMs: number }
  | { type: 'written' }
  | { type: 'failed'; message: string; wasmMiB: number };

const report = (message: RecordReport) => process.send!(message);
const wasmBytes = watchWasmMemories(globalThis);

// The parent is gone, or has its recording.
process.once('disconnect', () => process.exit());
process.once('message', async (order: RecordOrder) => {
  try {
    await record(order);
    report({ type: 'written' });
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report({ type: 'failed', message, wasmMiB: Math.max(0, ...wasmBytes()) / 2 ** 20 });
  }
  process.disconnect();
});

async function record({ plan, folder }: RecordOrder): Promise<void> {
  const world = await enterWorld(plan);
  const { simulateCrowd } = await import('./simulation.ts');
  const { writeRecording } = await import('./recording.ts');
  const onProgress = (typedMs: number) => report({ type: 'progress', typedMs });
  await writeRecording(folder, { key: plan.key, ...(await simulateCrowd({ ...world, onProgress })) });
}
