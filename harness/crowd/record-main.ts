/** The process that records one crowd, on a virtual clock. */
import { watchWasmMemories } from '../../editors/base/instrument/wasm-memory.ts';
import { answerCalls, newsTo } from '../../infra/process/answers.ts';
import type { CrowdPlan } from './crowd-plan.ts';
import { enterWorld } from './simulated-world.ts';

export type RecordCalls = {
  /**
   * @param folder where the recording goes: one that is not there yet
   * @throws Error with `wasmMiB`: what the fullest memory of WebAssembly held when it failed; each is of several simulated users
   */
  record(plan: CrowdPlan, folder: string): Promise<void>;
};

export interface RecordNews {
  /** So much is typed, ms. */
  typed: number;
}

const wasmBytes = watchWasmMemories(globalThis);
const tell = newsTo<RecordNews>();

answerCalls<RecordCalls>({
  async record(plan, folder) {
    try {
      const world = await enterWorld(plan);
      const { simulateCrowd } = await import('./simulation.ts');
      const { writeRecording } = await import('./recording.ts');
      const onProgress = (typedMs: number) => tell('typed', typedMs);
      await writeRecording(folder, { key: plan.key, ...(await simulateCrowd({ ...world, onProgress })) });
    } catch (error) {
      const thrown = error instanceof Error ? error : new Error(String(error));
      throw Object.assign(thrown, { wasmMiB: Math.max(0, ...wasmBytes()) / 2 ** 20 });
    }
  },
});
