/**
 * Editor drivers without a browser: each a session at NoQuill in this process, where the framework's client runs too. All users
 * share its thread, its sockets' class and its console.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { BLOCK_FORMATS } from '../../../editors/base/editor.ts';
import { crowdOf, type FrameworkClient } from '../../../editors/base/framework.ts';
import { countTraffic, SentKeeper } from '../../../editors/base/instrument/traffic.ts';
import {
  pasteText,
  pressBackspace,
  pressDelete,
  pressEnter,
  pressTab,
  toggleFormat,
  typeText,
} from '../../../editors/base/noquill/keys.ts';
import type { NoQuill } from '../../../editors/base/noquill/noquill.ts';
import { createNoQuillScreen, type NoQuillScreen } from '../../../editors/base/noquill/screen.ts';
import { openSession, type Session } from '../../../editors/base/page/session.ts';
import { loadClient } from '../../../frameworks/framework.ts';
import { nowMs } from '../../../infra/clock.ts';
import { SocketTraffic, takeCpuProfile } from '../../probes/this-process.ts';
import { ClientFailure, copiesOf, type Drivers, type DriversOptions, type EditorDriver } from '../editor-driver.ts';
import { type Gestures, performHere } from '../typing/perform.ts';

export async function openDrivers({ framework, isCrowd }: DriversOptions): Promise<Drivers> {
  watchErrors();
  const client = await loadClient(framework);
  if (isCrowd) client.quicken?.();
  const holdsBack = isCrowd && crowdOf(framework.about)?.takesInBeforeKeys;
  return {
    create: () => createNodeDriver(client, holdsBack ? new Set() : undefined),
    chrome: null,
    editorsPid: process.pid,
    async close() {},
  };
}

/** Two users' profiles at a time would be two of the same thread, each of which holds both up. */
let profileUnderWay: Promise<string> | null = null;

/** @param beforeKeys see `Batching`; absent: the client follows its receive batches */
export function createNodeDriver(framework: FrameworkClient, beforeKeys?: Set<() => void>): EditorDriver {
  let screen: NoQuillScreen;
  let client: Client;
  let session: Session;
  let gestures: Gestures<unknown>;
  let address = '';
  const keeper = new SentKeeper();
  return {
    async join(assignment, events) {
      const { serverUrl, documentId, batching, presence, begins, token, keepsSent, faults, user } = assignment;
      address = serverUrl;
      screen = createNoQuillScreen(null, { hasCursors: presence !== undefined });
      client = new Client((message) => events.onPageError(nowMs(), message), keepsSent ? keeper : null);
      const open = () =>
        openSession({
          client: framework,
          screen,
          url: serverUrl,
          documentId,
          batching: { ...batching, beforeKeys },
          presence,
          begins,
          token,
          // The end of a new document's only line must have an author.
          ownsEnd: user === 0,
          onSigil: events.onSigil,
          onSigilChanged: events.onSigilChanged,
          onLost: (reason, how) => events.onLost(reason, 'framework', how),
          onBroken: () => events.onBroken(nowMs()),
          onReconnected: () => events.onReconnected(nowMs()),
          expectsFaults: faults.length > 0,
          onCursorMoved: (movedBy) => events.onCursorMoved(nowMs(), movedBy),
        });
      const opening = client.run(open);
      session = await opening.catch((error: Error) => {
        throw new ClientFailure(error);
      });
      gestures = gesturesAt(screen.editor, session);
      screen.editor.focus();
    },
    perform: async (action) => {
      for (const takeIn of beforeKeys ?? []) client.attempt(takeIn);
      return client.attempt(() => performHere(gestures, action));
    },
    state: () => session.state(),
    /** Also of one who has not joined. */
    leave: async () => client?.run(() => session?.leave()),
    // Stamps of the screen are taken in a task of their own, after the change.
    flush: () => new Promise((resolve) => setTimeout(resolve)),
    async sample() {
      const traffic = { ...client.traffic.read(), sentMessages: null, receivedMessages: null };
      return { atMs: nowMs(), characters: session.characters(), traffic };
    },
    ownEdits: async () => session.ownEdits(),
    textSamples: async () => session.textSamples(),
    ownSigils: async () => session.ownSigils(),
    cursorNames: async () => session.cursorNames(),
    // Errors that the newcomer's library throws later are told as its user's.
    copies: (options) => client.run(() => copiesOf(session, options)),
    sent: () => keeper.sent(address),
    contents: async () => session.contents(),
    savedStateBase64: async () => Buffer.from(session.savedState()).toString('base64'),
    // Not `heapBytes`: the users of a process share its heap.
    profile(durationMs) {
      profileUnderWay ??= takeCpuProfile(durationMs).finally(() => {
        profileUnderWay = null;
      });
      return profileUnderWay;
    },
  };
}

/** The gestures at NoQuill: the functions that its keys and buttons call in Chrome. */
export function gesturesAt(editor: NoQuill, session: Session): Gestures<unknown> {
  return {
    press(key) {
      if (key === 'backspace') pressBackspace(editor);
      else if (key === 'delete') pressDelete(editor);
      else if (key === '\n') pressEnter(editor);
      else if (key === '\t') pressTab(editor);
      else typeText(editor, key);
    },
    format: (format) => toggleFormat(editor, format),
    move: (distance) => session.move(distance),
    select: (distance, length) => session.select(distance, length),
    unselect: () => session.unselect(),
    look: (distance, length) => session.look(distance, length),
    lookBack: () => session.lookBack(),
    selectSigil: (sigil) => session.selectSigil(sigil),
    leaveSigil: (change) => session.leaveSigil(change),
    paste: (text) => pasteText(editor, text),
    formatBlock(button) {
      const { name, value } = BLOCK_FORMATS[button]!;
      toggleFormat(editor, name, value);
    },
  };
}

const running = new AsyncLocalStorage<Client>();
let isCounting = false;
let isWatching = false;
let isKeeping = false;

/**
 * The framework's client of one user among several in this process. Its work runs in an asynchronous context of its user, in
 * which its sockets, timers and rejections are found.
 */
export class Client {
  /** Keeps what the client sends; null: nobody does. */
  readonly keeper: SentKeeper | null;
  /** Traffic of the connections that the client opened. */
  readonly traffic = new SocketTraffic();
  readonly #onError: (message: string) => void;

  /** @param onError gets what nothing in the client caught, and what it wrote to the console as an error */
  constructor(onError: (message: string) => void, keeper: SentKeeper | null = null) {
    watchSockets();
    this.#onError = onError;
    this.keeper = keeper;
    if (keeper === null || isKeeping) return;
    // Counting takes time at every message, so only processes with a user to keep do it.
    isKeeping = true;
    countTraffic(globalThis, () => running.getStore()?.keeper ?? null);
  }

  /** Runs work of the client; its consequences count as the client's too. */
  run<T>(work: () => T): T {
    return running.run(this, work);
  }

  /** As `run`; what it throws counts as in a page, where it is thrown within the event of the key. */
  attempt<T>(work: () => T): T | undefined {
    return this.run(() => {
      try {
        return work();
      } catch (error) {
        this.failed(error);
        return undefined;
      }
    });
  }

  failed(error: unknown): void {
    this.#onError(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** From now on, connections in this process are counted as those of the client behind them. */
function watchSockets(): void {
  if (isCounting) return;
  isCounting = true;
  subscribe('net.client.socket', (message) => {
    running.getStore()?.traffic.add((message as { socket: Socket }).socket);
  });
}

/** From now on, errors in this process are reported to the client behind them; others end it, as ever. */
function watchErrors(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe('console.error', (message) => {
    const texts = (message as unknown[]).map((part) => (part instanceof Error ? part.message : String(part)));
    running.getStore()?.failed(texts.join(' '));
  });
  // Node has no narrower place for what a library's own timers and events throw.
  process.on('uncaughtException', (error) => {
    const client = running.getStore();
    if (client !== undefined) return client.failed(error);
    console.error(error);
    process.exit(1);
  });
}
