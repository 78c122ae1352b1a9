/** Defects of a framework's server, and of the way to it. */
import Delta from 'quill-delta';
import WebSocket from 'ws';
import { CLIENT_PARAMETER } from '../../editors/base/binding/relay-protocol.ts';
import { parseSigil, SIGIL_LENGTH } from '../../editors/base/sigils.ts';
import { compactLog, createDocument } from '../../editors/yjs-relay/document.ts';
import { startDelayLine } from '../../infra/network/delay-line.ts';
import { targetAt } from '../../infra/network/line-target.ts';
import { kindOf } from '../../servers/calibration/server.ts';
import { createRelay } from '../../servers/relay.ts';
import { type BrokenFramework, brokenDocument, brokenJoin, brokenServer, honest } from './broken-framework.ts';

/** After all have joined, while they type. */
const WHILE_TYPING_MS = 2000;
const CUT_OFF = 1;

/** More than the 3 s within which the paper wants to see half of all. */
export const LATE_MS = 3500;
/** Half of the delay of what is held back: a full machine alone makes some of that. */
export const PROMPT_MS = LATE_MS / 2;
const ON_THE_WAY_MS = 20;

const FLOOD_MESSAGES = 100;
const FLOOD_MESSAGE_BYTES = 2 ** 20;
/** So often, some of it: at once it would be more than the relay lets wait for a client. */
const FLOOD_PERIOD_MS = 10;

export const exits: BrokenFramework = { ...honest, serverEndsAfterMs: WHILE_TYPING_MS };

/** In order: what is late at all is late by as much. */
export const isLate: BrokenFramework = brokenServer(
  createRelay({ compact: compactLog, treat: ({ pass }) => setTimeout(pass, LATE_MS) }),
);

/** Others hear of what is deleted much later: such an update of Yjs's holds nothing else, and nothing waits for it. */
export const holdsDeletions: BrokenFramework = brokenServer(
  createRelay({
    compact: compactLog,
    treat: ({ data, pass }) => void (kindOf(data) === 'deletion' ? setTimeout(pass, LATE_MS) : pass()),
  }),
);

/** All typing waits until somebody completes a marker, or nobody types for a while. */
export function flushesAtMarkers(): BrokenFramework {
  const waiting: (() => void)[] = [];
  const flush = () => {
    for (const pass of waiting.splice(0)) pass();
  };
  let pause: NodeJS.Timeout | undefined;
  const treat = ({ pass }: { pass: () => void }) => {
    waiting.push(pass);
    clearTimeout(pause);
    pause = setTimeout(flush, LATE_MS);
  };
  const { client } = brokenDocument((document) => {
    let typed = '';
    return {
      change(delta) {
        document.change(delta);
        typed = `${typed}${delta.ops.at(-1)?.insert}`.slice(-SIGIL_LENGTH);
        if (parseSigil(typed) !== null) setTimeout(flush, ON_THE_WAY_MS);
      },
    };
  });
  return { client, server: createRelay({ compact: compactLog, treat }) };
}

/** Longer than the 1 s for which edits are gathered among many users. */
const GATHERED_MS = 1500;
const MENTION = /@\w{0,2}$/;

/** Mentions are passed on at once, with all that their author typed before; other typing is gathered. */
export function hurriesMentions(): BrokenFramework {
  const hurried = new Set<string>();
  const nameOf = (message: Uint8Array) => Buffer.from(message).toString('base64');
  const { client } = brokenDocument((document) => {
    let typed = '';
    return {
      change(delta) {
        document.change(delta);
        typed = `${typed}${delta.ops.at(-1)?.insert}`.slice(-SIGIL_LENGTH);
      },
      takeMessage() {
        const message = document.takeMessage();
        if (message !== null && MENTION.test(typed)) hurried.add(nameOf(message));
        return message;
      },
    };
  });
  const waiting = new Map<unknown, { passes: (() => void)[]; timer: NodeJS.Timeout }>();
  const flush = (from: unknown) => {
    const { passes, timer } = waiting.get(from)!;
    clearTimeout(timer);
    waiting.delete(from);
    for (const pass of passes) pass();
  };
  return {
    client,
    server: createRelay({
      compact: compactLog,
      treat({ from, data, pass }) {
        const ofUser = waiting.get(from) ?? { passes: [], timer: setTimeout(() => flush(from), GATHERED_MS) };
        waiting.set(from, ofUser);
        ofUser.passes.push(pass);
        if (hurried.delete(nameOf(data))) flush(from);
      },
    }),
  };
}

export const givesNewcomersAnother: BrokenFramework = brokenServer(
  createRelay({ compact: (saved, log) => compactLog(saved, log.slice(0, -5)) }),
);

/** Users who join again, as the newcomer at user 0's side does, get the document and nothing after it. */
export function servesNewcomersOnce(): BrokenFramework {
  const joined = new Set<number>();
  return brokenDocument((document, user) => {
    const isNewcomer = joined.has(user);
    joined.add(user);
    return isNewcomer ? { open: (log) => void document.receive(log), receive: () => new Delta() } : {};
  });
}

/** Each user gets 100 MB of a text that nobody typed: the same 1 MB, again and again. */
export function floods(): BrokenFramework {
  let isFlooding = false;
  return brokenJoin(async (join, options) => {
    const replica = await join(options);
    // The first to join tells where; not awaited, since it comes later.
    if (!isFlooding) flood(`${options.url}/${options.documentId}?${CLIENT_PARAMETER}=server`).catch(() => {});
    isFlooding = true;
    return replica;
  });
}

async function flood(address: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, WHILE_TYPING_MS));
  const document = createDocument();
  document.change(new Delta().insert('x'.repeat(FLOOD_MESSAGE_BYTES)));
  const message = document.takeMessage()!;
  const socket = new WebSocket(address);
  await new Promise((resolve) => socket.once('open', resolve));
  for (let sent = 0; sent < FLOOD_MESSAGES; sent++) {
    socket.send(message);
    await new Promise((resolve) => setTimeout(resolve, FLOOD_PERIOD_MS));
  }
  socket.close();
}

export function cutsOneOff(): BrokenFramework {
  return brokenJoin(async (join, options, user) => {
    if (user !== CUT_OFF) return join(options);
    const url = new URL(options.url);
    const link = { oneWayDelayMs: 0, jitterMs: 0, bandwidthBytesPerSecond: null };
    const line = await startDelayLine({ target: targetAt(url), link, seed: 1 });
    setTimeout(() => line.stop(), WHILE_TYPING_MS);
    return join({ ...options, url: `ws://127.0.0.1:${line.port}${url.pathname}` });
  });
}
