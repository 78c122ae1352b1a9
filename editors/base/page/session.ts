/**
 * A session: one user at one screen with one framework, put together. Chrome's page and a user in Node hold one each,
 * and drive it with the few gestures that are not keys: moving the cursor, selecting, pasting.
 */
import { canonicalDelta, digest, shownDelta } from '../delta.ts';
import type { Editor, Screen } from '../editor.ts';
import type { FrameworkClient, JoinOptions, Replica } from '../framework.ts';
import { followCursor } from '../instrument/cursor-jumps.ts';
import { type Gathering, watchGathering } from '../instrument/gathering.ts';
import { type EditAccount, followEdits, type TextSample } from '../instrument/ledger.ts';
import { followOwnSigils, type OwnSigil } from '../instrument/own-sigils.ts';
import { createNoQuillScreen } from '../noquill/screen.ts';
import { SIGIL_LENGTH, type SigilChange, watchSigils } from '../sigils.ts';
import { Cursor } from './cursor.ts';

/** How a user joins a document: plain, as a driver tells a page. */
export interface UserOptions
  extends Pick<JoinOptions, 'url' | 'documentId' | 'batching' | 'presence' | 'begins' | 'token'> {
  /**
   * True if the end of the last line, which a new document holds, counts as this user's; and of a document that it `begins`, all that
   * others left there. See ledger.ts.
   */
  ownsEnd?: boolean;
  /** True if faults are injected: a broken connection is waited for without a limit. */
  expectsFaults?: boolean;
}

export interface SessionOptions extends UserOptions, Pick<JoinOptions, 'onLost' | 'onReconnected' | 'onBroken'> {
  client: FrameworkClient;
  /** With cursors, if the user takes part in presence. */
  screen: Screen;
  onSigil: (sigil: string, shownMs: number) => void;
  /** A sigil is not on the screen any more, or has another format. */
  onSigilChanged?: (sigil: string, change: SigilChange, shownMs: number) => void;
  /** Gets by how much others' changes moved the cursor beyond what they had to. */
  onCursorMoved?: (movedBy: number) => void;
}

/** State for the convergence proof; the fields are described in `results/formats/records.ts`. */
export interface SessionState {
  modelDigest: string;
  shownModelDigest: string;
  editorDigest: string;
  editorTextDigest: string;
  screenTextDigest: string;
  characters: number;
}

export interface SessionContents {
  model: string;
  editor: string;
}

/** Typed beside a newcomer. */
const LAST_KEY = 'x';
/** How long it may take to get to the newcomer, beside batches, and how often that is asked. */
const SERVED_LIMIT_MS = 10_000;
const SERVED_PERIOD_MS = 50;

export interface LateOptions {
  /** True if a key is typed beside the newcomer, who must get it and then hold the same. */
  stays: boolean;
}

/** A user without a screen, at another's side. */
export interface Guest {
  editor: Editor;
  replica: Replica;
  /** Rejects if its connection is gone for good. */
  lost: Promise<never>;
}

export interface Session extends Pick<Cursor, 'move' | 'select' | 'unselect' | 'look' | 'lookBack'> {
  editor: Editor;
  /** Selects one of this user's last sigils. @returns false if it is not whole any more */
  selectSigil(sigil: string): boolean;
  /** The cursor goes back to where it was before. @param change the sigil's */
  leaveSigil(change: SigilChange): void;
  state(): Promise<SessionState>;
  characters(): number;
  /** This user's own edits and their fate, as the editor saw them. */
  ownEdits(): EditAccount & Gathering;
  /** How much of the document was this user's, and how much others', second by second; instants in ms since the epoch. */
  textSamples(): TextSample[];
  /** This user's sigils that were whole with their last key, and what became of each. */
  ownSigils(): OwnSigil[];
  /** The names at the others' cursors that the screen shows; null if this user takes no part in presence. */
  cursorNames(): string[] | null;
  /** The document as canonical JSON: what the framework's model has to show, and what the editor holds. */
  contents(): SessionContents;
  savedState(): Uint8Array;
  /** Digest of the document that the saved state holds, to compare with the model's; null if none can be loaded. */
  savedDigest(): Promise<string | null>;
  /** Another user joins here, without a screen. Rejects if the framework does not let one join. */
  joinBeside(): Promise<Guest>;
  /** Digest of what a user holds who joins now, and leaves again. Rejects if the framework does not let one join or stay. */
  lateDigest(options: LateOptions): Promise<string>;
  leave(): Promise<void>;
}

/** Joins the document and starts watching for sigils. Rejects if the framework cannot join. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { screen, client, url, documentId, batching, presence, begins, token, onSigil, onSigilChanged, onCursorMoved } =
    options;
  const { onLost, onReconnected, onBroken, expectsFaults } = options;
  const { editor } = screen;
  watchSigils(screen, onSigil, onSigilChanged);
  const ledger = followEdits(editor);
  const ownSigils = followOwnSigils(editor);
  if (onCursorMoved !== undefined) followCursor(editor, onCursorMoved);
  const connection = { onLost, onReconnected, onBroken, ...(expectsFaults && { reconnectLimitMs: null }) };
  const replica = await client.join({ url, documentId, editor, batching, presence, begins, token, ...connection });
  const gathering = watchGathering(editor, batching);
  if (options.ownsEnd) ledger.claimEnd();
  if (options.ownsEnd && begins) ledger.claimFound();
  const cursor = new Cursor(editor);
  const { move, select, unselect, look, lookBack } = cursor;
  return {
    editor,
    ...{ move, select, unselect, look, lookBack },
    selectSigil(sigil) {
      const place = ownSigils.placeOf(sigil);
      if (place !== null) cursor.visit(place, SIGIL_LENGTH);
      return place !== null;
    },
    leaveSigil: (change) => cursor.leave(change === 'deleted' ? SIGIL_LENGTH : 0),
    state: () => stateOf(screen, replica),
    characters: () => editor.getLength(),
    ownEdits: () => ({ ...ledger.account(), ...gathering }),
    textSamples: () => ledger.textSamples().map(([atMs, ...counts]) => [performance.timeOrigin + atMs, ...counts]),
    ownSigils: ownSigils.all,
    cursorNames: () => (presence === undefined ? null : screen.cursorNames()),
    contents: () => ({
      model: JSON.stringify(shownDelta(replica.contents()).ops),
      editor: JSON.stringify(canonicalDelta(editor.getContents()).ops),
    }),
    savedState: () => replica.save(),
    async savedDigest() {
      return client.load === undefined ? null : digest(await client.load(replica.save()));
    },
    joinBeside: () => joinBeside(options),
    lateDigest: (late) => lateDigest(options, { ...late, beside: { editor, replica } }),
    leave: () => replica.leave(),
  };
}

async function joinBeside({ client, url, documentId, batching, token }: SessionOptions): Promise<Guest> {
  const { editor } = createNoQuillScreen(null);
  const lost = Promise.withResolvers<never>();
  const guest = client.join({
    url,
    documentId,
    editor,
    batching,
    token,
    onLost: (reason) => lost.reject(new Error(reason)),
    onReconnected: () => {},
  });
  const replica = await Promise.race([guest, lost.promise]);
  return { editor, replica, lost: lost.promise };
}

async function lateDigest(
  options: SessionOptions,
  { stays, beside }: LateOptions & { beside: Omit<Guest, 'lost'> },
): Promise<string> {
  const { editor, replica, lost } = await joinBeside(options);
  const joined = await digest(replica.contents());
  const untilServed = async () => {
    beside.editor.insertText(0, LAST_KEY, 'user');
    const { sendMs, receiveMs } = options.batching;
    const endMs = performance.now() + SERVED_LIMIT_MS + sendMs + receiveMs;
    // The lengths differ until the key is there, and cost nothing to compare.
    const isServed = async () =>
      editor.getLength() === beside.editor.getLength() &&
      (await digest(replica.contents())) === (await digest(beside.replica.contents()));
    while (!(await isServed())) {
      if (performance.now() > endMs) throw new Error('the newcomer did not get a key that was typed afterwards');
      await new Promise((resolve) => setTimeout(resolve, SERVED_PERIOD_MS));
    }
  };
  if (stays) await Promise.race([untilServed(), lost]);
  await replica.leave();
  return joined;
}

async function stateOf(screen: Screen, replica: Replica): Promise<SessionState> {
  const { editor } = screen;
  // At one instant: while a digest is made, others' edits may come in.
  const model = replica.contents();
  const [contents, text, screenText, characters] = [
    editor.getContents(),
    editor.getText(),
    screen.text(),
    editor.getLength(),
  ];
  return {
    modelDigest: await digest(model),
    shownModelDigest: await digest(shownDelta(model)),
    editorDigest: await digest(contents),
    editorTextDigest: await digest(text),
    screenTextDigest: await digest(screenText),
    characters,
  };
}
