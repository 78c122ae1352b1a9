/** The process that records one crowd: its clock is virtual, its randomness the seed's, and its sockets lead to a server within it. */
import { watchWasmMemories } from '../../editors/base/instrument/wasm-memory.ts';
import { answerCalls, newsTo } from '../../infra/process/answers.ts';
import { createVirtualClock, replaceGlobals } from '../../infra/virtual/clock.ts';
import type { CrowdPlan } from './crowd-plan.ts';

export type RecordCalls = {
  /**
   * @param folder where the recording goes: one that is not there yet
   * @throws Error with `wasmMiB`: what the fullest memory of WebAssembly held when it failed; each is of several simulated users.
   *         UserError (3) if sources have changed since the plan was made
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
      const crowd = await simulate(plan);
      const { writeRecording } = await import('./recording.ts');
      await writeRecording(folder, { key: plan.key, ...crowd });
    } catch (error) {
      const thrown = error instanceof Error ? error : new Error(String(error));
      throw Object.assign(thrown, { wasmMiB: Math.max(0, ...wasmBytes()) / 2 ** 20 });
    }
  },
});

/** Readies this process for good, and loads the framework's halves and the crowd's assignments. */
async function simulate(plan: CrowdPlan) {
  const clock = createVirtualClock();
  replaceGlobals(clock, plan.key.seed);
  // Only now: libraries keep what they find in their surroundings when they are loaded.
  const { crowdOf } = await import('../../editors/base/framework.ts');
  const { assignmentsOf, sourcesOf } = await import('./crowd-plan.ts');
  const { Unavailable } = await import('../../results/user-error.ts');
  const { VirtualNetwork } = await import('../../infra/virtual/network.ts');
  const { webSocketOf } = await import('../../infra/virtual/client-socket.ts');
  const network = new VirtualNetwork(clock);
  globalThis.WebSocket = webSocketOf(() => network);
  const { findFramework } = await import('../../frameworks/discover.ts');
  const { loadServer } = await import('../../frameworks/framework.ts');
  const { loadInstances } = await import('./library-instances.ts');
  const { simulateCrowd } = await import('./simulation.ts');
  const found = await findFramework(plan.key.framework);
  const crowd = await simulateCrowd({
    clients: await loadInstances(found, Math.max(1, plan.memories)),
    server: await loadServer(found),
    crowd: crowdOf(found.about)!,
    clock,
    network,
    ...(await assignmentsOf(plan)),
    typingMs: plan.key.typingMs,
    onProgress: (typedMs) => tell('typed', typedMs),
  });
  // A plan may wait long for its turn. What was loaded since would be kept under the digest of what was there before.
  if ((await sourcesOf(found)) === plan.key.sources) return crowd;
  throw new Unavailable('sources or packages were changed since it was planned; give the command again');
}
