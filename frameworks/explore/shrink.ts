/**
 * Shrinks a world that fails: steps are left out by halves, quarters and so on, then users, and what is left becomes simpler, as
 * long as it fails in the same way.
 *
 * @see Zeller & Hildebrandt 2002, "Simplifying and Isolating Failure-Inducing Input" (ddmin)
 */
import { kindsOf, marksIn, type Step, type World, type WorldUser } from './world.ts';

/** Enough for nearly all; each takes milliseconds. */
const MOST_PLAYS = 1500;

/** Simpler forms of a step, each tried by itself. */
const SIMPLER: Partial<Record<Step['do'], readonly object[]>> = {
  insert: [{ bold: false }, { over: undefined }, { place: 0 }],
  delete: [{ length: 1 }, { place: 0 }],
  format: [{ length: 1 }, { place: 0 }],
  line: [{ place: 0 }],
  cut: [
    { swallowMs: 0 },
    { clientLagMs: 0 },
    { serverLagMs: 0 },
    { forMs: 0 },
    { forMs: 50 },
    { swallows: 'back' },
    { swallows: 'there' },
  ],
  restart: [{ clientLagMs: 0 }, { forMs: 0 }],
  apart: [{ lagMs: 0 }, { brokerLagMs: 0 }, { forMs: 50 }],
  broker: [{ lagMs: 0 }, { forMs: 50 }],
  reload: [{ forMs: 0 }, { keeps: undefined }],
  crash: [{ serverLagMs: 0 }],
};
const SIMPLER_USER: readonly Partial<WorldUser>[] = [
  { joinsMs: 0 },
  { jitterMs: 0 },
  { receiveMs: 0 },
  { sendMs: 0 },
  { delayMs: 5 },
];

/** @param fails plays a world. @returns the smallest world found, which fails */
export async function shrinkWorld(world: World, fails: (world: World) => Promise<boolean>): Promise<World> {
  const shrinker = new Shrinker(world, fails);
  for (let before = ''; before !== JSON.stringify(shrinker.smallest); ) {
    before = JSON.stringify(shrinker.smallest);
    await shrinker.leaveStepsOut();
    await shrinker.leaveUsersOut();
    await shrinker.leaveServersOut();
    await shrinker.simplify();
  }
  return shrinker.smallest;
}

class Shrinker {
  smallest: World;
  readonly #fails: (world: World) => Promise<boolean>;
  #plays = 0;

  constructor(world: World, fails: (world: World) => Promise<boolean>) {
    this.smallest = world;
    this.#fails = fails;
  }

  async #try(change: Partial<World>): Promise<boolean> {
    const world = { ...this.smallest, ...change };
    if (JSON.stringify(world) === JSON.stringify(this.smallest) || ++this.#plays > MOST_PLAYS) return false;
    if (!(await this.#fails(world))) return false;
    this.smallest = world;
    return true;
  }

  async leaveStepsOut(): Promise<void> {
    for (const kind of kindsOf(this.smallest)) {
      await this.#try({ steps: this.smallest.steps.filter((step) => step.do !== kind) });
    }
    for (let size = Math.ceil(this.smallest.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < this.smallest.steps.length; ) {
        if (!(await this.#try({ steps: this.smallest.steps.toSpliced(from, size) }))) from += size;
      }
    }
  }

  async leaveUsersOut(): Promise<void> {
    for (let user = this.smallest.users.length - 1; user >= 0 && this.smallest.users.length > 1; user--) {
      const steps = this.smallest.steps.filter((step) => !('user' in step) || step.user !== user);
      const moved = steps.map((step) => ('user' in step && step.user > user ? { ...step, user: step.user - 1 } : step));
      await this.#try({ users: this.smallest.users.toSpliced(user, 1), steps: moved });
    }
  }

  async leaveServersOut(): Promise<void> {
    const { servers } = this.smallest;
    if (servers === undefined || (await this.#try({ servers: undefined }))) return;
    if (servers.length > 2) await this.#try({ servers: servers.slice(0, -1) });
    for (const index of this.smallest.servers!.keys()) {
      for (const simpler of [{ jitterMs: 0 }, { delayMs: 1 }]) {
        const before = this.smallest.servers!;
        await this.#try({ servers: before.with(index, { ...before[index]!, ...simpler }) });
      }
    }
  }

  async simplify(): Promise<void> {
    for (const [index] of this.smallest.users.entries()) {
      for (const simpler of SIMPLER_USER) {
        await this.#try({ users: this.smallest.users.with(index, { ...this.smallest.users[index]!, ...simpler }) });
      }
    }
    for (const [index] of this.smallest.steps.entries()) {
      const step = () => this.smallest.steps[index]!;
      const changed = (change: object) => this.smallest.steps.with(index, { ...step(), ...change } as Step);
      for (const simpler of SIMPLER[step().do] ?? []) await this.#try({ steps: changed(simpler) });
      const first = step();
      if (first.do === 'insert') await this.#try({ steps: changed({ text: marksIn(first.text)[0] }) });
    }
    // Without a store another bug may look the same.
    const { store } = this.smallest;
    if (store !== undefined) await this.#try({ store: { ...store, delayMs: 0 } });
    await this.#try({ steps: this.smallest.steps.map((step) => ({ ...step, atMs: Math.round(step.atMs) })) });
    await this.#try({
      steps: this.smallest.steps.map((step) => ({ ...step, atMs: Math.round(step.atMs / 100) * 100 })),
    });
  }
}
