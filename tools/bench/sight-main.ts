/** The process that measures at one user, on a virtual clock, what taking in others' edits costs. */
import type { CrowdPlan } from '../../harness/crowd/crowd-plan.ts';
import type { RecordedUser } from '../../harness/crowd/recording.ts';
import type { SimulatedUser } from '../../harness/crowd/simulated-user.ts';
import { enterWorld } from '../../harness/crowd/simulated-world.ts';
import type { Guests } from '../../harness/crowd/simulation.ts';
import { answerCalls } from '../../infra/process/answers.ts';

/** The period at which the measured user takes in what came, as a page does by default. */
const TICK_MS = 50;

export interface SightOrder {
  /** All users are the crowd. */
  plan: CrowdPlan;
  /** The recording of all users but the first few. */
  recording: string;
}

/** Of the second half of the time. */
export interface TakenIn {
  /** Of one core. */
  cpuPercent: number;
  /** Each time that something was taken in. */
  perTimeMs: number;
}

/** `seen`: by all others; `unseen`: by those who are played. */
export type Sight = Record<'seen' | 'unseen', TakenIn>;
export type SightCalls = { measure(order: SightOrder): Promise<Sight> };

type World = Awaited<ReturnType<typeof enterWorld>>;

answerCalls<SightCalls>({
  async measure({ plan, recording }) {
    const world = await enterWorld(plan);
    const { readRecording } = await import('../../harness/crowd/recording.ts');
    const { VirtualNetwork } = await import('../../infra/virtual/network.ts');
    const { webSocketOf } = await import('../../infra/virtual/client-socket.ts');
    const { users } = await readRecording(recording);
    const measure = (documentId: string, played: readonly RecordedUser[]) => {
      const network = new VirtualNetwork(world.clock);
      globalThis.WebSocket = webSocketOf(() => network);
      const assignments = world.assignments.map((each) => ({ ...each, documentId }));
      return measureFirst({ ...world, network, assignments }, played);
    };
    // In one process, after a turn that only compiles: few users alone would leave much of the code cold.
    await measure('compiled', []);
    return { seen: await measure('seen', []), unseen: await measure(plan.key.documentId, users) };
  },
});

/** Simulates those who are not played beside those who are, and measures at the first. */
async function measureFirst(world: World, played: readonly RecordedUser[]): Promise<TakenIn> {
  const { simulateCrowd } = await import('../../harness/crowd/simulation.ts');
  const sockets: WebSocket[] = [];
  const first = Promise.withResolvers<() => TakenIn>();
  const guests: Guests = {
    async join() {
      for (const user of played) sockets.push(await joinPlayed(user, world));
    },
    start(users, startMs) {
      for (const [index, { frames }] of played.entries())
        for (const { dueMs, frame } of frames) {
          world.clock.at(startMs + dueMs, () => sockets[index]!.send(frame as Uint8Array<ArrayBuffer>));
        }
      first.resolve(watch(users[0]!, { ...world, startMs }));
    },
  };
  const assignments = world.assignments.filter(({ user }) => !played.some((other) => other.user === user));
  await simulateCrowd({ ...world, assignments, guests, onProgress: () => {} });
  return (await first.promise)();
}

/** Joins as a played user does, who skips what comes. */
async function joinPlayed({ user, path, opening }: RecordedUser, { assignments, clock, network }: World) {
  const { link, seed } = assignments[user]!;
  const onArriving = (arrivedMs: number, deliver: () => void) => void clock.at(arrivedMs, deliver);
  network.use({ link, seed: seed + user, onConnect: () => {}, onSent: () => {}, onArriving });
  const socket = new WebSocket(`ws://crowd${path}`);
  socket.onopen = () => {
    for (const frame of opening) socket.send(frame as Uint8Array<ArrayBuffer>);
  };
  // The server has it then.
  await clock.run(clock.nowMs() + TICK_MS);
  return socket;
}

/** Makes a user take in on ticks what came, and counts this thread's time for it. */
function watch(user: SimulatedUser, { clock, typingMs, startMs }: World & { startMs: number }): () => TakenIn {
  const [fromMs, endMs] = [startMs + typingMs / 2, startMs + typingMs];
  const takeIn = user.takeIn.bind(user);
  let [cpuMs, times] = [0, 0];
  user.takeIn = async () => {
    const before = process.threadCpuUsage();
    const isAny = await takeIn();
    const { user: own, system } = process.threadCpuUsage(before);
    if (!isAny || clock.nowMs() < fromMs || clock.nowMs() > endMs) return isAny;
    cpuMs += (own + system) / 1000;
    times++;
    return isAny;
  };
  const tick = (atMs: number) => {
    if (atMs >= endMs) return;
    clock.at(atMs, () => {
      tick(atMs + TICK_MS);
      user.takeIn();
    });
  };
  tick(startMs);
  return () => ({ cpuPercent: (100 * cpuMs) / (endMs - fromMs), perTimeMs: cpuMs / times });
}
