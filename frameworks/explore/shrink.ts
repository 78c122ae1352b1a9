/**
 * Shrinks a world that fails: steps are left out by halves, quarters and so on, then users, and what is left becomes simpler, as
 * long as it fails in the same way.
 *
 * @see Zeller & Hildebrandt 2002, "Simplifying and Isolating Failure-Inducing Input" (ddmin)
 */
import { causeOf, type Failure, failsAlike } from './causes.ts';
import { kindsOf, marksIn, type World } from './world.ts';

/** Enough for nearly all; each takes milliseconds. */
const MOST_PLAYS = 1500;

/** Simpler values of the parts of steps, users, servers and the store, the simplest first. */
const SIMPLER: Readonly<Record<string, readonly unknown[]>> = {
  bold: [false],
  over: [undefined],
  length: [1],
  place: [0],
  swallowMs: [0],
  clientLagMs: [0],
  serverLagMs: [0],
  lagMs: [0],
  brokerLagMs: [0],
  forMs: [0, 50],
  swallows: ['back', 'there'],
  holds: ['back', 'there'],
  drains: [true],
  keeps: [undefined],
  joinsMs: [0],
  jitterMs: [0],
  receiveMs: [0],
  sendMs: [0],
  delayMs: [0, 5],
};

/** Shrinks a world to one that fails as it does, and by none of the causes that are known: a smaller world may fail by such a one. */
export function shrinkFailure(world: World, of: Failure): Promise<Shrunk> {
  return shrinkWorld(world, async (smaller) => {
    const broken = await of.play(smaller);
    return broken !== null && failsAlike(broken, of.broken) && (await causeOf(smaller, { ...of, broken })) === -1;
  });
}

export interface Shrunk {
  /** The smallest found, which fails. */
  world: World;
  /** False: there was no end to the plays. */
  isSmallest: boolean;
}

/** @param fails plays a world */
export async function shrinkWorld(world: World, fails: (world: World) => Promise<boolean>): Promise<Shrunk> {
  const shrinker = new Shrinker(world, fails);
  for (let before = ''; before !== JSON.stringify(shrinker.smallest); ) {
    before = JSON.stringify(shrinker.smallest);
    await shrinker.leaveStepsOut();
    await shrinker.leaveUsersOut();
    await shrinker.leaveServersOut();
    await shrinker.simplify();
  }
  return { world: shrinker.smallest, isSmallest: shrinker.plays <= MOST_PLAYS };
}

class Shrinker {
  smallest: World;
  readonly #fails: (world: World) => Promise<boolean>;
  plays = 0;

  constructor(world: World, fails: (world: World) => Promise<boolean>) {
    this.smallest = world;
    this.#fails = fails;
  }

  async #try(change: Partial<World>): Promise<boolean> {
    const world = { ...this.smallest, ...change };
    if (JSON.stringify(world) === JSON.stringify(this.smallest) || ++this.plays > MOST_PLAYS) return false;
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
  }

  async simplify(): Promise<void> {
    for (const list of ['users', 'servers', 'steps'] as const) {
      const now = () => (this.smallest[list] ?? []) as readonly object[];
      for (const [index, part] of now().entries()) {
        await this.#simplifyPart(part, (simpler) => ({ [list]: now().with(index, simpler) }));
      }
    }
    // Without a store another bug may look the same.
    const { store } = this.smallest;
    if (store !== undefined) await this.#simplifyPart(store, (simpler) => ({ store: simpler }));
    for (const [index, step] of this.smallest.steps.entries()) {
      if (step.do !== 'insert') continue;
      await this.#try({ steps: this.smallest.steps.with(index, { ...step, text: marksIn(step.text)[0]! }) });
    }
    for (const unitMs of [1, 100]) {
      const rounded = (ms: number) => Math.round(ms / unitMs) * unitMs;
      await this.#try({ steps: this.smallest.steps.map((step) => ({ ...step, atMs: rounded(step.atMs) })) });
    }
  }

  /** @param changed the change to the world that puts something simpler in the part's place */
  async #simplifyPart(part: object, changed: (simpler: object) => object): Promise<void> {
    let simplest: Record<string, unknown> = { ...part };
    for (const [name, values] of Object.entries(SIMPLER)) {
      for (const value of name in part ? values : []) {
        const now = simplest[name];
        if (value === now || (typeof now === 'number' && Number(value) > now)) break;
        const simpler = { ...simplest, [name]: value };
        if (!(await this.#try(changed(simpler) as Partial<World>))) continue;
        simplest = simpler;
        break;
      }
    }
  }
}
