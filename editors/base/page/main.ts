/**
 * The page of a Chrome user. The driver calls `scriptorium.…` through the DevTools protocol; the page reports
 * through one binding, in batches, so that neither the driver nor the page is woken for every sigil.
 */

import { BLOCK_FORMATS, type Screen } from '../editor.ts';
import type { FrameworkClient } from '../framework.ts';
import type { EditAccount } from '../instrument/ledger.ts';
import { createReporter, nowMs } from '../instrument/reporter.ts';
import { countTraffic, KeptMessages, type MessageSample, SentKeeper, type Traffic } from '../instrument/traffic.ts';
import { watchWasmMemory } from '../instrument/wasm-memory.ts';
import { clients } from './clients.ts';
import { openSession, type Session, type UserOptions } from './session.ts';

/** The page's answer to each request of the driver. */
export interface PageSample {
  atMs: number;
  characters: number;
  traffic: Traffic;
}

export interface PageApi {
  open(options: PageOptions): Promise<void>;
  session(): Session;
  /** Loads a framework's client, and Quill, for a script that joins by itself. */
  parts(framework: string): Promise<PageParts>;
  nowMs(): number;
  sample(): PageSample;
  /** The session's, and how often this page lost the focus to another window. */
  ownEdits(): EditAccount & { focusLosses: number };
  paste(text: string): void;
  /** The middle of the toolbar's block buttons, in the order of `BLOCK_FORMATS`, in CSS pixels. */
  blockButtons(): { x: number; y: number }[];
  savedStateBase64(): string;
  /** Messages that this user's client sent, for a session that was opened to keep them. */
  sent(): ReturnType<SentKeeper['sent']>;
  /** Size of the WebAssembly memories. */
  wasmBytes(): number;
  /** Some of the last messages, of a page that keeps them. */
  messages(): Promise<MessageSample>;
  /** Reports what is gathered, after the frame under way: what it shows still counts. */
  flush(): Promise<void>;
}

/** All that a user is made of. */
export interface PageParts {
  client: FrameworkClient;
  screen: Screen;
  /** Counts on. */
  traffic: Traffic;
}

export interface PageOptions extends UserOptions {
  framework: string;
  screen: 'quill' | 'noquill';
  keepsSent?: boolean;
  /** One user's are enough to tell what compression would make of them. */
  keepsMessages?: boolean;
}

declare global {
  var scriptorium: PageApi;
}

let session: Session | null = null;
let keeper: SentKeeper | null = null;
let serverUrl = '';
/** A framework that disables its editor makes the page lose nothing: only the element does. */
let focusLosses = 0;
window.addEventListener('blur', () => focusLosses++);
// Traffic past the server, or by other sockets than the page's own, would be in no figure. The page's policy refuses more.
for (const name of ['RTCPeerConnection', 'WebTransport']) Reflect.deleteProperty(globalThis, name);
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  const advice = 'a framework whose client needs workers says so in its about.ts (workers)';
  throw new Error(`the page refuses what it cannot count, ${violatedDirective} ${blockedURI}: ${advice}`);
});
const reporter = createReporter();
const wasmBytes = watchWasmMemory(globalThis);
const messages = { sent: new KeptMessages(), received: new KeptMessages() };
let keepsMessages = false;
const traffic = countTraffic(
  globalThis,
  () => keeper,
  (direction, data) => {
    if (keepsMessages) messages[direction].add(data);
  },
);

async function loadClient(framework: string): Promise<FrameworkClient> {
  const load = clients[framework];
  if (load === undefined) throw new Error(`this page has no framework named "${framework}"`);
  return (await load()).client;
}

async function createScreen(name: PageOptions['screen'], { hasCursors }: { hasCursors: boolean }): Promise<Screen> {
  const container = document.querySelector<HTMLElement>('#screen')!;
  switch (name) {
    case 'quill': {
      const cursors = hasCursors ? (await import('../quill/cursors.ts')).QuillCursors : undefined;
      return (await import('../quill/screen.ts')).createQuillScreen(container, { cursors });
    }
    case 'noquill':
      return (await import('../noquill/screen.ts')).createNoQuillScreen(container, { hasCursors });
  }
}

globalThis.scriptorium = {
  async open({ framework, screen: name, keepsSent, keepsMessages: keeps = false, ...options }) {
    keepsMessages = keeps;
    const client = await loadClient(framework);
    const screen = await createScreen(name, { hasCursors: options.presence !== undefined });
    if (keepsSent) keeper = new SentKeeper();
    serverUrl = options.url;
    session = await openSession({
      client,
      screen,
      ...options,
      onSigil: reporter.sigil,
      onSigilChanged: reporter.sigilChanged,
      onLost: reporter.lost,
      onReconnected: reporter.reconnected,
      onBroken: reporter.broke,
      onCursorMoved: reporter.cursorMoved,
    });
    reporter.watchLongTasks();
    reporter.watchKeys();
    document.querySelector<HTMLElement>('[contenteditable], [tabindex]')?.focus();
    session.move(0);
  },
  session() {
    if (session === null) throw new Error('no session is open');
    return session;
  },
  async parts(framework) {
    return { client: await loadClient(framework), screen: await createScreen('quill', { hasCursors: false }), traffic };
  },
  nowMs,
  sample() {
    return { atMs: this.nowMs(), characters: this.session().characters(), traffic: { ...traffic } };
  },
  ownEdits: () => ({ ...scriptorium.session().ownEdits(), focusLosses }),
  paste(text) {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(paste);
  },
  blockButtons() {
    return BLOCK_FORMATS.map(({ name, value }) => {
      const box = document.querySelector(`.ql-${name}[value="${value}"]`)!.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    });
  },
  sent: async () => keeper?.sent(serverUrl) ?? [],
  wasmBytes,
  messages: async () => ({ sent: await messages.sent.take(), received: await messages.received.take() }),
  savedStateBase64: () => scriptorium.session().savedState().toBase64(),
  flush: reporter.flush,
};
