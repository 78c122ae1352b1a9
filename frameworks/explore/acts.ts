/** The acts: each kind of step, as it is done on the stage. */
import Delta from 'quill-delta';
import type { Editor } from '../../editors/base/editor.ts';
import type { Direction } from '../../infra/virtual/network.ts';
import type { PlayedUser } from './played-user.ts';
import type { Stage } from './stage.ts';
import { BROKER, readable, type Step, type StepOf, serverName, serversOf } from './world.ts';

/** A user leaves in order if its line was whole for so long, and it says that it is in step. */
const CALM_MS = 5000;
/** How long the last messages of one who leaves may take to go. */
const LEAVING_MS = 600;

/** Does it, if there is somebody to do it. */
export function perform(stage: Stage, step: Step): void {
  const user = 'user' in step ? stage.here.find(({ number }) => number === step.user) : null;
  if (user === undefined) return;
  // Of more servers than there are.
  if ('server' in step && (step.server ?? 0) >= serversOf(stage.world).length) return;
  const act = ACTS[step.do] as (stage: Stage, step: Step, user: PlayedUser | null) => void;
  act(stage, step, user);
}

/** The user is there; an act of no user has none. */
const ACTS: { [Kind in Step['do']]: (stage: Stage, step: StepOf<Kind>, user: PlayedUser) => void } = {
  insert(stage, { place, text, bold, over = 0 }, user) {
    const { editor } = user.screen;
    const { from, to } = rangeOf(editor, place, over);
    const length = to - from;
    const formats = bold ? { bold } : {};
    const old = editor.getText(from, length);
    stage.ledger.deleted(user, old, stage.clock.nowMs());
    if (old === '') editor.insertText(from, text, formats, 'user');
    else editor.updateContents(new Delta().retain(from).insert(text, formats).delete(length), 'user');
    stage.ledger.typed(user, text, { shown: user.text(), atMs: stage.clock.nowMs() });
    stage.ledger.replaced(old, text);
    const where = old === '' ? `at ${from}` : `over "${readable(old)}" at ${from}`;
    stage.note(user.number, `types "${readable(text)}" ${where}${bold ? ' in bold' : ''}`);
  },
  delete(stage, { place, length }, user) {
    remove(stage, user, rangeOf(user.screen.editor, place, length));
  },
  format(stage, { place, length, name, value }, user) {
    const { editor } = user.screen;
    const { from, to } = rangeOf(editor, place, length);
    editor.formatText(from, to - from, { [name]: value }, 'user');
    stage.note(user.number, `${value ? 'sets' : 'takes away'} ${name} of ${from} to ${to}`);
  },
  line(stage, { place, name, value }, user) {
    const { editor } = user.screen;
    const at = Math.floor(place * (editor.getLength() - 1));
    editor.formatLine(at, 1, { [name]: value }, 'user');
    stage.note(user.number, `gives the line at ${at} the ${name} ${value}`);
  },
  undo(stage, _step, user) {
    const last = stage.ledger.lastOf(user);
    const from = last === null ? -1 : user.text().indexOf(last);
    if (last === null || from === -1) return;
    // Its line end may be gone; the document's own stays.
    remove(stage, user, { from, to: Math.min(from + last.length, user.screen.editor.getLength() - 1) });
  },
  cut(stage, { swallows, swallowMs, forMs, clientLagMs, serverLagMs, drains }, { line, number }) {
    const struck = stage.servers.connectionsOf(line);
    const directions = directionsOf(swallows);
    const lagMs = Math.max(forMs, clientLagMs, serverLagMs);
    line.isFaultyUntil(stage.clock.nowMs() + swallowMs + lagMs);
    const cut = () => {
      const end = line.goDown();
      for (const connection of struck) connection.cut({ clientLagMs, serverLagMs, drains });
      const learns = learning({ [line.near]: clientLagMs, [line.far]: serverLagMs }, drains);
      stage.note(number, `is cut off for ${forMs} ms${learns}`);
      stage.clock.after(forMs, end);
    };
    if (swallowMs === 0) return cut();
    for (const connection of struck) for (const direction of directions) connection.swallow(direction, { drains });
    stage.note(number, `has a line that loses all ${spokenWays(swallows)}`);
    stage.clock.after(swallowMs, cut);
  },
  stall(stage, { holds, forMs }, { line, number }) {
    const untilMs = stage.clock.nowMs() + forMs;
    line.stallUntil(untilMs, directionsOf(holds));
    line.isFaultyUntil(untilMs + 2 * (line.link.oneWayDelayMs + line.link.jitterMs));
    stage.note(number, `has a line that holds all ${spokenWays(holds)} for ${forMs} ms`);
  },
  close(stage, { code }, { line, number }) {
    line.isFaultyUntil(stage.clock.nowMs() + 2 * (line.link.oneWayDelayMs + line.link.jitterMs));
    for (const { server } of stage.servers.connectionsOf(line)) server?.close(code);
    stage.note(number, `is sent away by the server (${code})`);
  },
  leave: (stage, _step, user) => leave(stage, user),
  reload(stage, { forMs, keeps }, user) {
    const resumes = keeps && stage.halves.client(user.number).resumes;
    const last = resumes ? { state: user.replica!.save(), text: user.text() } : undefined;
    if (last !== undefined) stage.note(user.number, 'keeps its state');
    leave(stage, user);
    stage.joinAfter(forMs + LEAVING_MS, user.number, last);
  },
  crash(stage, { serverLagMs }, user) {
    noteAcknowledged(stage, user);
    user.state = 'gone';
    user.line.goDown();
    user.line.isFaultyUntil(stage.clock.nowMs() + serverLagMs);
    for (const connection of stage.servers.connectionsOf(user.line)) {
      connection.cut({ clientLagMs: 0, serverLagMs, drains: true });
    }
    stage.note(user.number, `crashes${learning({ [user.line.far]: serverLagMs })}`);
  },
  jump(stage, { byMs }) {
    stage.clock.wallAheadMs += byMs;
    stage.note(serverName(stage.world, 0), `somebody sets the clock by ${byMs} ms`);
  },
  restart(stage, step) {
    stage.ledger.serverRestarted(stage.clock.nowMs());
    const learns = learning({ 'who is connected': step.clientLagMs }, step.drains);
    stage.note(
      serverName(stage.world, step.server ?? 0),
      `is killed, and starts again after ${step.forMs} ms${learns}`,
    );
    stage.servers.restart(step);
    stage.isFaultyFor(step.forMs + step.clientLagMs);
  },
  apart(stage, step) {
    const name = serverName(stage.world, step.server);
    const learns = learning({ [name]: step.lagMs, 'the other end': step.brokerLagMs }, step.drains);
    stage.note(name, `is cut off from the others for ${step.forMs} ms${learns}`);
    stage.servers.apart(step);
    stage.isFaultyFor(Math.max(step.forMs, step.lagMs, step.brokerLagMs));
  },
  broker(stage, step) {
    if (!stage.servers.haveBroker) return;
    const learns = learning({ 'each server': step.lagMs }, step.drains);
    stage.note(BROKER, `is killed, and starts again after ${step.forMs} ms${learns}`);
    stage.servers.restartBroker(step);
    stage.isFaultyFor(Math.max(step.forMs, step.lagMs));
  },
};

function directionsOf(ways: Direction | 'both'): readonly Direction[] {
  return ways === 'both' ? ['there', 'back'] : [ways];
}

function spokenWays(ways: Direction | 'both'): string {
  return ways === 'both' ? 'both ways' : `on the way ${ways}`;
}

/** The rest of a sentence about a break: who learns of it late, and that messages on their way are lost. */
function learning(afterMs: Readonly<Record<string, number>>, drains = true): string {
  const late = Object.entries(afterMs).filter(([, ms]) => ms > 0);
  const ends = late.map(([who, ms]) => `, of which ${who} learns after ${ms} ms`);
  return `${ends.join('')}${drains ? '' : '; what is on its way is lost'}`;
}

/** The server has all edits of this user, says the library, and both are in touch: then they are owed, however the user goes. */
function noteAcknowledged(stage: Stage, user: PlayedUser): void {
  const nowMs = stage.clock.nowMs();
  const isInTouch = user.isInSync && nowMs > user.line.faultyUntilMs;
  if (isInTouch && user.replica!.isAcknowledged?.()) user.acknowledgedMs = nowMs;
}

async function leave(stage: Stage, user: PlayedUser): Promise<void> {
  const { line, replica } = user;
  const fromMs = stage.clock.nowMs();
  const isCalm = user.isInSync && !line.isDown && fromMs > line.faultyUntilMs + CALM_MS;
  noteAcknowledged(stage, user);
  user.state = 'gone';
  stage.note(user.number, 'leaves');
  user.isLeaving = true;
  try {
    await replica!.leave();
    // The library may have waited for the server.
    if (isCalm && line.faultyUntilMs < fromMs) user.acknowledgedMs = stage.clock.nowMs();
  } catch (error) {
    stage.thrown.push(error);
  }
  user.isLeaving = false;
}

interface Range {
  from: number;
  to: number;
}

function rangeOf(editor: Editor, place: number, length: number): Range {
  const last = editor.getLength() - 1;
  const from = whole(editor, Math.floor(place * last));
  return { from, to: whole(editor, Math.min(from + length, last)) };
}

function remove(stage: Stage, user: PlayedUser, { from, to }: Range): void {
  const { editor } = user.screen;
  const text = editor.getText(from, to - from);
  if (text === '') return;
  stage.ledger.deleted(user, text, stage.clock.nowMs());
  editor.deleteText(from, to - from, 'user');
  stage.note(user.number, `deletes "${readable(text)}" at ${from}`);
}

/** The place, or the one before it where that is in the middle of a character: a cursor never stands there. */
function whole(editor: Editor, index: number): number {
  return /^[\uDC00-\uDFFF]/.test(editor.getText(index, 1)) ? index - 1 : index;
}
