/** One user in a trial: follows the coordinator's orders, types on schedule, and writes its record. */

import { getPriority } from 'node:os';
import type { TurnedAwayAs } from '../../editors/base/framework.ts';
import { nowMs, realTimer } from '../../infra/clock.ts';
import { containerLimits } from '../../infra/machine/container.ts';
import { leastDelayMs } from '../../infra/network/link.ts';
import { SCHEMA_VERSION } from '../../results/formats/records.ts';
import { messageOf } from '../../results/user-error.ts';
import type { ControlConnection, Order } from '../trial/control-connection.ts';
import type { Assignment, Blamed, ForeignServer } from '../trial/protocol.ts';
import { ClientFailure, type EditorDriver } from './editor-driver.ts';
import { lastWords, PageErrors } from './last-words.ts';
import { TurnedAway } from './turned-away.ts';
import { createUserClock, type UserClock } from './user-clock.ts';
import { UserLine } from './user-line.ts';
import { UserTyping } from './user-typing.ts';

/** How often document length and traffic are sampled. */
const SAMPLE_PERIOD_MS = 5000;
/** How often the screen is asked whether the readiness marker shows. */
const MARKER_PERIOD_MS = 20;

export type OrderOf<T extends Order['type']> = Extract<Order, { type: T }>;

/** The part of a connection to the coordinator that a user needs. */
export type UserControl = Pick<
  ControlConnection,
  'orders' | 'ended' | 'send' | 'record' | 'flush' | 'measureClock' | 'close'
>;

export interface UserOptions {
  control: UserControl;
  driver: EditorDriver;
  /** Versions that every process writes at the head of its record. */
  versions: { framework: string; chrome: string | null };
  /**
   * Called when typing is about to start, so that the host of this user can begin to sample itself.
   * `memoryAtMs` is on this process's clock; its clock + `recordOffsetMs` = that of the user's record.
   */
  onGo: (go: { memoryAtMs: number; recordOffsetMs: number }) => void;
  /** The way to a server that somebody else runs; absent: it is the trial's own. */
  foreign?: ForeignServer | null;
  /** This machine's own bound on its clock's error, ms, if it knows one: it is recorded with each measurement. */
  clockSourceErrorMs?: () => Promise<number | null>;
}

/** Resolves when the coordinator says goodbye or is gone; what goes wrong is told to the coordinator. */
export async function runUser(options: UserOptions): Promise<void> {
  const { control, driver } = options;
  await followOrders(control, new User(options));
  // A page that is already gone cannot say goodbye, and need not.
  await driver.leave().catch(() => {});
}

/** As `runUser`, of a user of any kind, who ends with its orders. */
export async function followOrders(
  control: UserControl,
  user: { follow(order: Exclude<Order, { type: 'goodbye' }>): Promise<void>; end(): Promise<void> | void },
): Promise<void> {
  try {
    for await (const order of control.orders) {
      if (order.type === 'goodbye') break;
      await user.follow(order);
    }
  } catch (error) {
    const by = error instanceof ClientFailure ? error.by : undefined;
    control.send({ type: 'failed', message: messageOf(error), by });
  } finally {
    control.close();
    await user.end();
  }
}

/** A user, order by order. What an order asks for is said and recorded over the control connection. */
export class User {
  readonly #control: UserControl;
  readonly #driver: EditorDriver;
  readonly #versions: UserOptions['versions'];
  readonly #onGo: UserOptions['onGo'];
  readonly #clock: UserClock;
  readonly #foreign: ForeignServer | null;
  /** Null: the server is the trial's own. */
  readonly #turnedAway: TurnedAway | null;
  readonly #shownBeforeGo = new Set<string>();
  #assignment: Assignment | null = null;
  readonly #line = new UserLine();
  readonly #typing: UserTyping;
  /** Settles when typing is over; null: it has not begun. */
  #hasTyped: Promise<void> | null = null;
  /** Its client gave its connection up for good. */
  #isAlone = false;
  readonly #pageErrors = new PageErrors();
  #sampler: NodeJS.Timeout | undefined;

  constructor({ control, driver, versions, onGo, foreign = null, clockSourceErrorMs }: UserOptions) {
    this.#control = control;
    this.#driver = driver;
    this.#versions = versions;
    this.#onGo = onGo;
    this.#foreign = foreign;
    this.#turnedAway = foreign && new TurnedAway((...refusal) => this.#fail(...refusal));
    this.#clock = createUserClock({ driver, control, sourceErrorMs: clockSourceErrorMs });
    this.#typing = new UserTyping({ driver, control, clock: this.#clock });
  }

  /**
   * Resolves when the order is carried out, or, of one that takes a while beside typing, begun.
   *
   * @throws what the driver throws: the user cannot go on then
   */
  async follow(order: Exclude<Order, { type: 'goodbye' }>): Promise<void> {
    switch (order.type) {
      case 'assignment':
        return this.#join(order);
      case 'marker':
        return this.#showMarker(order);
      case 'go':
        return this.#go(order);
      case 'profile':
        // Not awaited: the user types on, and the orders that follow must not wait.
        this.#profile(order).catch((error: Error) => this.#fail(`no CPU profile: ${error.message}`));
        return;
      case 'ask-document-state':
        return this.#control.send({
          type: 'document-state',
          state: await this.#driver.state(),
          typing: this.#typing.isUnderWay,
        });
      case 'collect':
        return this.#handIn(order);
    }
  }

  /** Resolves once nothing of this user's goes on, but for its driver, which is the caller's. */
  async end(): Promise<void> {
    clearInterval(this.#sampler);
    this.#clock.stop();
    await this.#hasTyped;
    await this.#line.close();
  }

  async #join({ assignment }: OrderOf<'assignment'>): Promise<void> {
    const { framework, mode, user, link, batching, cpuSlowdown } = assignment;
    this.#assignment = assignment;
    const foreign = this.#foreign;
    const turnedAway = this.#turnedAway;
    const serverUrl = await this.#line.open(assignment, { foreign, onEnded: (ending) => turnedAway?.ended(ending) });
    const joining = this.#driver.join(
      { ...assignment, serverUrl, begins: foreign !== null, token: foreign?.token ?? undefined },
      {
        onSigil: (sigil, shownMs) => {
          if (this.#hasTyped === null) this.#shownBeforeGo.add(sigil);
          else this.#control.record({ type: 'sigil-shown', sigil, shownMs });
        },
        onSigilChanged: (sigil, change, shownMs) => {
          if (this.#hasTyped !== null) this.#control.record({ type: 'sigil-change-shown', sigil, change, shownMs });
        },
        onLongTask: (atMs, durationMs) => this.#control.record({ type: 'long-task', atMs, durationMs }),
        onLost: (...loss) => this.#lose(...loss),
        onBroken: (atMs) => this.#control.record({ type: 'connection', atMs, state: 'lost' }),
        onReconnected: (atMs) => {
          this.#turnedAway?.back();
          this.#control.record({ type: 'reconnected', atMs }, { type: 'connection', atMs, state: 'back' });
        },
        onCursorMoved: (atMs, movedBy) => this.#control.record({ type: 'cursor', atMs, movedBy }),
        onKeys: (timings) => this.#control.record({ type: 'key-latency', ...timings }),
        onPageError: (atMs, message) => this.#pageErrors.add(atMs, message),
      },
    );
    await (turnedAway?.joined(joining) ?? joining);
    this.#control.record({
      type: 'process',
      schemaVersion: SCHEMA_VERSION,
      role: 'user',
      user,
      framework,
      frameworkVersion: this.#versions.framework,
      mode,
      node: process.version,
      chrome: this.#versions.chrome,
      limits: containerLimits(),
      nice: getPriority(),
      leastDelayMs: leastDelayMs(link),
      handshakeMs: this.#line.handshakeMs,
      cpuSlowdown,
      sendMs: batching.sendMs,
      // The screen's clock, as all of the record; one exchange will do, for the measurements come after this line.
      atMs: nowMs() + ((await this.#driver.measureClock?.(1))?.offsetMs ?? 0),
    });
    await this.#clock.measure();
    this.#control.send({ type: 'ready' });
  }

  async #showMarker({ marker, typeIt, startText }: OrderOf<'marker'>): Promise<void> {
    if (typeIt) {
      await this.#typing.putIn(startText);
      await this.#typing.typeMarker(marker);
    }
    // The screen reports in batches; nobody types yet, so it may be asked at once.
    while (!this.#shownBeforeGo.has(marker) && !this.#control.ended.aborted) {
      await this.#driver.flush?.();
      await realTimer.until(nowMs() + MARKER_PERIOD_MS);
    }
    this.#control.send({ type: 'marker-shown' });
  }

  #go(go: OrderOf<'go'>): void {
    if (this.#assignment === null) throw new Error('an order came before the assignment');
    const { writes, faults } = this.#assignment;
    // Nobody types yet, so that the collection holds up nothing.
    this.#recordHeap().catch((error: Error) => this.#fail(`its heap: ${error.message}`));
    const typing = writes ? this.#typing.type(this.#assignment, go) : Promise.resolve();
    this.#hasTyped = typing.catch((error: Error) => this.#fail(`typing stopped: ${error.message}`));
    this.#sampler = setInterval(
      () => this.#sample().catch((error: Error) => this.#fail(error.message)),
      SAMPLE_PERIOD_MS,
    );
    this.#clock.keepMeasuring(this.#assignment, (error) => this.#fail(`its clock: ${error.message}`));
    this.#line
      .carryOut(faults, { startMs: go.startMs, driver: this.#driver, clock: this.#clock, signal: this.#control.ended })
      .catch((error: Error) => this.#fail(`its line to the server: ${error.message}`));
    this.#onGo({
      memoryAtMs: this.#clock.fromCoordinatorMs(go.memoryAtMs),
      recordOffsetMs: this.#clock.screenOffsetMs,
    });
  }

  async #recordHeap(): Promise<void> {
    const heapBytes = await this.#driver.heapBytes?.();
    if (heapBytes === undefined) return;
    this.#control.record({ type: 'page-memory', atMs: this.#clock.toScreenMs(nowMs()), heapBytes });
  }

  async #sample(): Promise<void> {
    this.#control.record(...this.#pageErrors.take());
    const delays = this.#line.takeDelays();
    if (delays.length > 0) {
      this.#control.record({ type: 'delay-line', atMs: this.#clock.toScreenMs(nowMs()), delays });
    }
    const sampled = await this.#driver.sample?.();
    if (sampled === undefined) return;
    const { atMs, characters, traffic } = sampled;
    this.#control.record({ type: 'document', atMs, characters }, { type: 'network', atMs, ...traffic });
  }

  async #profile({ durationMs }: OrderOf<'profile'>): Promise<void> {
    const profile = (await this.#driver.profile?.(durationMs)) ?? null;
    this.#control.send({ type: 'cpu-profile', profile });
  }

  async #handIn({ withContents }: OrderOf<'collect'>): Promise<void> {
    if (this.#assignment === null) throw new Error('an order came before the assignment');
    clearInterval(this.#sampler);
    await this.#driver.flush?.();
    await this.#sample();
    // Before somebody joins in the end, with a client of their own.
    const sent = this.#assignment.keepsSent ? await this.#driver.sent?.() : undefined;
    this.#clock.stop();
    await this.#clock.measure();
    const { lines, documents } = await lastWords(this.#driver, {
      user: this.#assignment.user,
      typed: this.#typing.typed,
      isAlone: this.#isAlone,
      recordMs: () => this.#clock.toScreenMs(nowMs()),
    });
    this.#control.record(...lines);
    this.#control.flush();
    const { model, editor, savedState } = documents;
    this.#control.send({
      type: 'outcome',
      contents: withContents ? model : null,
      editorContents: editor === model ? null : editor,
      savedState: withContents ? savedState : null,
      ...(sent && { sent }),
    });
  }

  /** Among injected faults, a client that gives up has answered them so; its user types on, alone. */
  #lose(why: string, by?: 'framework', how?: TurnedAwayAs): void {
    if (by === 'framework' && this.#turnedAway?.explains(why, how)) return;
    const expectsFaults = this.#hasTyped !== null && this.#assignment!.faults.length > 0;
    this.#isAlone = by === 'framework' && expectsFaults;
    if (!this.#isAlone) this.#fail(why, by);
    else this.#control.record({ type: 'connection', atMs: this.#clock.toScreenMs(nowMs()), state: 'gone', why });
  }

  #fail(message: string, by?: Blamed): void {
    this.#control.send({ type: 'failed', message, ...(by && { by }) });
  }
}
