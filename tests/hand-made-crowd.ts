/** Material for tests: a small crowd, recorded from sessions in Node at a real server, and a fleet that plays it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SentKeeper } from '../editors/base/instrument/traffic.ts';
import { createNoQuillScreen } from '../editors/base/noquill/screen.ts';
import { openSession } from '../editors/base/page/session.ts';
import { makeSigil } from '../editors/base/sigils.ts';
import { playCrowd } from '../harness/crowd/played-user.ts';
import type { RecordedUser } from '../harness/crowd/recording.ts';
import { inAnotherOrder, readSent, replay, sentFrame } from '../harness/crowd/replay.ts';
import { type ControlConnection, connectToCoordinator } from '../harness/trial/control-connection.ts';
import { CONTROL_URL_VARIABLE } from '../harness/trial/protocol.ts';
import { REPLAY_FILE } from '../harness/trial/trial-files.ts';
import { Client, gesturesAt } from '../harness/users/node/drivers.ts';
import { performHere } from '../harness/users/typing/perform.ts';
import type { Action } from '../harness/users/typing/typist.ts';
import type { Fleet } from '../infra/fleet.ts';
import type { Frame } from '../infra/virtual/network.ts';
import type { BrokenFramework } from './broken-frameworks/broken-framework.ts';
import { inProcessFleet } from './broken-frameworks/in-process-fleet.ts';

const SETTLE_MS = 150;
/** Users take turns, and each turn reaches all others before the next. */
const TURN_MS = 5;

/**
 * Each user types these in turn, one every `periodMs` of the recording; then each types a sigil.
 *
 * @param options.first the number of the first of them
 */
export async function recordByHand(options: {
  framework: Pick<BrokenFramework, 'client' | 'server'>;
  documentId: string;
  first: number;
  users: number;
  actions: readonly Action[];
  periodMs: number;
}): Promise<RecordedUser[]> {
  const { framework, documentId, first, users, periodMs } = options;
  const server = await framework.server.start({ host: '127.0.0.1', port: 0 });
  const url = `ws://127.0.0.1:${server.port}`;
  const crowd = await Promise.all(
    Array.from({ length: users }, async (_, index) => {
      const user = first + index;
      const screen = createNoQuillScreen(null);
      const keeper = new SentKeeper();
      const session = await new Client(() => {}, keeper).run(() =>
        openSession({
          ...{ client: framework.client(user), screen, url, documentId, batching: { receiveMs: 0, sendMs: 0 } },
          ...{ onSigil: () => {}, onLost: () => {}, onReconnected: () => {} },
        }),
      );
      return { user, screen, session, keeper };
    }),
  );
  await wait(SETTLE_MS);
  const sentBy = async (keeper: SentKeeper) => {
    const { path, frames } = (await keeper.sent(url))[0]!;
    return { path, frames: frames.map(sentFrame) };
  };
  const recorded: (RecordedUser & { frames: { dueMs: number; frame: Frame }[] })[] = [];
  for (const { user, keeper } of crowd) {
    const { path, frames: opening } = await sentBy(keeper);
    recorded.push({
      user,
      path,
      opening,
      frames: [],
      sigils: [],
      sigilChanges: [],
      ownSigils: [],
      account: {} as never,
    });
  }
  const turns: ((user: number) => Action[])[] = options.actions.map((action) => () => [action]);
  turns.push((user) => {
    const sigil = makeSigil(user, 0);
    return [...sigil].map((text, at) => ({ kind: 'sigil-key', text, sigil, last: at === sigil.length - 1 }) as Action);
  });
  for (const [turn, actionsOf] of turns.entries()) {
    for (const [index, { user, screen, session, keeper }] of crowd.entries()) {
      const dueMs = turn * periodMs + (index * periodMs) / users;
      for (const action of actionsOf(user)) performHere(gesturesAt(screen.editor, session), action);
      await wait(TURN_MS);
      const into = recorded[index]!;
      const { frames } = await sentBy(keeper);
      for (const frame of frames.slice(into.opening.length + into.frames.length)) into.frames.push({ dueMs, frame });
      if (turn === options.actions.length) {
        (into as { sigils: unknown }).sigils = [{ sigil: makeSigil(user, 0), dueMs, sentMs: dueMs }];
      }
    }
  }
  await wait(SETTLE_MS);
  for (const [index, { session }] of crowd.entries()) {
    recorded[index] = { ...recorded[index]!, ownSigils: session.ownSigils(), account: session.ownEdits() };
  }
  await Promise.all(crowd.map(({ session }) => session.leave()));
  await server.stop();
  return recorded;
}

/** @param inReplay of the server that replays what was sent; the trial's unless a test says otherwise */
export function crowdFleet(
  framework: BrokenFramework,
  crowd: readonly RecordedUser[],
  about: { documentId: string; inReplay?: BrokenFramework },
): Fleet & { player: { drop(): void } } {
  const inner = inProcessFleet(framework);
  const controls: ControlConnection[] = [];
  const argument = (args: readonly string[], name: string) => args[args.indexOf(name) + 1]!;
  return {
    ...inner,
    player: {
      drop() {
        for (const control of controls) control.close();
      },
    },
    async launch(job) {
      const launched = { address: '127.0.0.1', failed: Promise.resolve(null) };
      if (job.name === 'crowd') {
        const url = job.environment[CONTROL_URL_VARIABLE]!;
        for (const { user } of crowd) controls.push(await connectToCoordinator({ url, user }));
        const played = crowd.map((recorded, index) => ({ recorded, control: controls[index]! }));
        playCrowd(played, { frameworkVersion: '1' });
        return launched;
      }
      if (job.name !== 'replay') return inner.launch(job);
      const trial = argument(job.arguments, '--trial');
      const { client, server } = about.inReplay ?? framework;
      const sent = inAnotherOrder(crowd, await readSent(trial));
      const found = await replay({ client: client(0), server, documentId: about.documentId, sent }).then(
        (modelDigest) => ({ modelDigest, problem: null }),
        (error: Error) => ({ modelDigest: null, problem: error.message }),
      );
      await writeFile(join(trial, REPLAY_FILE), JSON.stringify(found));
      return launched;
    },
    async stop() {
      for (const control of controls) control.close();
      await inner.stop();
    },
  };
}
