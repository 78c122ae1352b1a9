/** One user's life in a trial: follows the coordinator's orders, types on schedule, and writes its record. */
import { SIGIL_LENGTH, SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import { containerLimits } from '../../infra/machine/limits.ts';
import { type DelayLine, startDelayLine } from '../../infra/network/delay-line.ts';
import { addsNothing } from '../../infra/network/link.ts';
import { SCHEMA_VERSION } from '../../results/formats/records.ts';
import { nowMs, realTimer } from '../clock.ts';
import type { ControlConnection, Order } from '../trial/control-connection.ts';
import type { Assignment } from '../trial/protocol.ts';
import type { EditorDriver } from './editor-driver.ts';
import { makeSchedule, typeOnSchedule } from './typing/schedule.ts';
import { createTypingLog } from './typing/typing-log.ts';
import { type Action, createTypist } from './typing/typist.ts';
import { CLOCK_PERIOD_MS, createUserClock } from './user-clock.ts';

/** How often document length and traffic are sampled. */
const SAMPLE_PERIOD_MS = 5000;
/** How often the screen is asked whether the readiness marker shows. */
const MARKER_PERIOD_MS = 20;

export interface UserOptions {
  control: ControlConnection;
  driver: EditorDriver;
  /** What every process says of itself at the head of its record. */
  versions: { framework: (name: string) => Promise<string>; chrome: string | null };
  /**
   * Called when typing is about to start, so that the host of this user can begin to sample itself.
   * `memoryAtMs` is on this process's clock; `recordOffsetMs` is what its clock lacks to the one of the user's record.
   */
  onGo: (go: { memoryAtMs: number; recordOffsetMs: number }) => void;
  /** This machine's own bound on its clock's error, ms, where it knows one: it is recorded with each measurement. */
  clockSourceErrorMs?: () => Promise<number | null>;
}

/** Resolves when the coordinator says goodbye or is gone; what goes wrong is told to the coordinator. */
export async function runUser(options: UserOptions): Promise<void> {
  const { control, driver } = options;
  const life = createLife(options);
  try {
    for await (const order of control.orders) {
      if (order.type === 'goodbye') break;
      await life.follow(order);
    }
  } catch (error) {
    control.send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  } finally {
    control.close();
    await life.end();
    // A page that is already gone cannot say goodbye, and need not.
    await driver.leave().catch(() => {});
  }
}

function createLife({ control, driver, versions, onGo, clockSourceErrorMs }: UserOptions) {
  const clock = createUserClock({ driver, control, sourceErrorMs: clockSourceErrorMs });
  const shownBeforeGo = new Set<string>();
  let assignment: Assignment | null = null;
  let delayLine: DelayLine | null = null;
  let typing: Promise<void> | null = null;
  let isTyping = false;
  let typedCharacters = 0;
  let sampler: NodeJS.Timeout | undefined;

  const fail = (message: string) => {
    control.send({ type: 'failed', message });
  };
  const assigned = (): Assignment => {
    if (assignment === null) throw new Error('an order came before the assignment');
    return assignment;
  };

  async function join(order: Extract<Order, { type: 'assignment' }>) {
    assignment = order.assignment;
    const { framework, mode, user, seed, link } = assignment;
    if (!addsNothing(link)) {
      const server = new URL(assignment.serverUrl);
      const target = { host: server.hostname, port: Number(server.port) };
      delayLine = await startDelayLine({ target, link, seed: seed * SIGIL_NUMBERS + user });
      assignment = { ...assignment, serverUrl: `ws://127.0.0.1:${delayLine.port}${server.pathname}` };
    }
    await driver.join(assignment, {
      onSigil(sigil, shownMs) {
        if (typing === null) shownBeforeGo.add(sigil);
        else control.record({ type: 'sigil-shown', sigil, shownMs });
      },
      onLongTask: (atMs, durationMs) => control.record({ type: 'long-task', atMs, durationMs }),
      onLost: fail,
      onReconnected: (atMs) => control.record({ type: 'reconnected', atMs }),
    });
    control.record({
      type: 'process',
      schemaVersion: SCHEMA_VERSION,
      role: 'user',
      user,
      framework,
      frameworkVersion: await versions.framework(framework),
      mode,
      node: process.version,
      chrome: versions.chrome,
      limits: containerLimits(),
      // The screen's clock, as all of the record; one exchange will do, for the measurements come after this line.
      atMs: nowMs() + (await driver.measureClock(1)).offsetMs,
    });
    const { errorMs } = await clock.measure();
    control.send({ type: 'ready', clockErrorMs: errorMs });
  }

  async function showMarker({ marker, typeIt }: Extract<Order, { type: 'marker' }>) {
    if (typeIt) {
      typedCharacters += marker.length;
      for (const [index, text] of [...marker].entries()) {
        await driver.perform({ kind: 'sigil-key', text, sigil: marker, last: index === SIGIL_LENGTH - 1 });
      }
    }
    // The screen reports in batches; nobody types yet, so it may be asked at once.
    while (!shownBeforeGo.has(marker) && !control.ended.aborted) {
      await driver.flush();
      await realTimer.until(nowMs() + MARKER_PERIOD_MS);
    }
    control.send({ type: 'marker-shown', marker });
  }

  function startTyping(go: Extract<Order, { type: 'go' }>) {
    const { user, users, seed, typing: options, edits, writes } = assigned();
    // The coordinator speaks in its own clock; this process's timers run on its own, the record on the screen's.
    const { toScreenMs, fromCoordinatorMs } = clock;
    const startMs = fromCoordinatorMs(go.startMs);
    const log = createTypingLog(startMs, (line) => control.record({ ...line, atMs: toScreenMs(line.atMs) }));
    if (!writes) {
      typing = Promise.resolve();
      return;
    }
    isTyping = true;
    typing = typeOnSchedule({
      schedule: makeSchedule({ ...options, user, users, seed }),
      typist: createTypist({ ...options, user, seed, edits, longestMove: driver.longestMove }),
      startMs,
      endMs: fromCoordinatorMs(go.endMs),
      perform: (action) => driver.perform(action),
      timer: realTimer,
      signal: control.ended,
      events: {
        onTyped({ action, dueMs, sentMs, driverLagMs }) {
          log.typed({ dueMs, sentMs, driverLagMs, isFormat: action.kind.startsWith('format') });
          typedCharacters += insertedCharacters(action);
          if (action.kind === 'sigil-key' && action.last) {
            const { sigil } = action;
            control.record({ type: 'sigil-sent', sigil, dueMs: toScreenMs(dueMs), sentMs: toScreenMs(sentMs) });
          }
        },
        onSkipped: (skipped) => log.skipped(skipped),
      },
    })
      .catch((error: Error) => fail(`typing stopped: ${error.message}`))
      .finally(() => {
        log.finish();
        isTyping = false;
      });
  }

  function keepClock() {
    const { user, users } = assigned();
    // One after the other: users that share a machine would make each other's exchanges slow.
    clock.keepMeasuring(((user + 1) / users) * CLOCK_PERIOD_MS, (error) => fail(`its clock: ${error.message}`));
  }

  async function sample() {
    const sampled = await driver.sample();
    if (sampled === null) return;
    const { atMs, characters, traffic } = sampled;
    control.record({ type: 'document', atMs, characters }, { type: 'network', atMs, ...traffic });
  }

  async function handIn({ withContents }: Extract<Order, { type: 'collect' }>) {
    clearInterval(sampler);
    await driver.flush();
    await sample();
    clock.stop();
    await clock.measure();
    const [state, own, contents, savedState] = await Promise.all([
      driver.state(),
      driver.ownEdits(),
      driver.contents(),
      driver.savedStateBase64(),
    ]);
    control.record({
      type: 'settled',
      atMs: clock.toScreenMs(nowMs()),
      ...state,
      ...own,
      typedCharacters,
      savedStateBytes: savedState === null ? null : Buffer.byteLength(savedState, 'base64'),
      quillStateBytes: contents.editor === null ? null : Buffer.byteLength(contents.editor),
    });
    control.flush();
    control.send({
      type: 'outcome',
      contents: withContents ? contents.model : null,
      editorContents: contents.editor === contents.model ? null : contents.editor,
      savedState: withContents ? savedState : null,
    });
  }

  return {
    async follow(order: Exclude<Order, { type: 'goodbye' }>): Promise<void> {
      switch (order.type) {
        case 'assignment':
          return join(order);
        case 'marker':
          return showMarker(order);
        case 'go':
          startTyping(order);
          sampler = setInterval(() => sample().catch((error) => fail(error.message)), SAMPLE_PERIOD_MS);
          keepClock();
          return onGo({
            memoryAtMs: clock.fromCoordinatorMs(order.memoryAtMs),
            recordOffsetMs: clock.screenOffsetMs,
          });
        case 'profile':
          // Not awaited: the user types on, and the orders that follow must not wait.
          driver
            .profile(order.durationMs)
            .then((profile) => control.send({ type: 'cpu-profile', profile }))
            .catch((error: Error) => fail(`no CPU profile: ${error.message}`));
          return;
        case 'ask-document-state':
          return control.send({ type: 'document-state', state: await driver.state(), typing: isTyping });
        case 'collect':
          return handIn(order);
      }
    },
    async end(): Promise<void> {
      clearInterval(sampler);
      clock.stop();
      await typing;
      await delayLine?.stop();
    },
  };
}

/** Characters that an action must put into the editor; no binding of the editors' makes a key do anything else. */
function insertedCharacters(action: Action): number {
  return action.kind === 'key' || action.kind === 'paste' || action.kind === 'sigil-key' ? action.text.length : 0;
}
