/** A process as the world of one crowd: its clock is virtual, its randomness the seed's, and its sockets lead to a server within it. */
import { createVirtualClock, replaceGlobals } from '../../infra/virtual/clock.ts';
import type { CrowdPlan } from './crowd-plan.ts';
import type { SimulationOptions } from './simulation.ts';

/** Readies this process for good, and loads the framework's halves and the crowd's assignments. */
export async function enterWorld(plan: CrowdPlan): Promise<Omit<SimulationOptions, 'onProgress'>> {
  const clock = createVirtualClock();
  replaceGlobals(clock, plan.key.seed);
  // Only now: libraries keep what they find in their surroundings when they are loaded.
  const { crowdOf } = await import('../../editors/base/framework.ts');
  const { assignmentsOf, crowdStart } = await import('./crowd-plan.ts');
  const { VirtualNetwork } = await import('../../infra/virtual/network.ts');
  const { webSocketOf } = await import('../../infra/virtual/client-socket.ts');
  const network = new VirtualNetwork(clock);
  globalThis.WebSocket = webSocketOf(() => network);
  const { findFramework } = await import('../../frameworks/discover.ts');
  const { loadServer } = await import('../../frameworks/framework.ts');
  const { loadInstances } = await import('./library-instances.ts');
  const found = await findFramework(plan.key.framework);
  return {
    clients: await loadInstances(found, Math.max(1, plan.memories)),
    server: await loadServer(found),
    crowd: crowdOf(found.about)!,
    clock,
    network,
    assignments: await assignmentsOf(plan),
    startText: await crowdStart(plan.experiment),
    typingMs: plan.key.typingMs,
  };
}
