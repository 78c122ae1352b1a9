/** Connections that come back: what becomes of one that broke, and a WebSocket that opens again by itself. */
import type { JoinOptions, TurnedAwayAs } from '../framework.ts';

/** The first pause before a new attempt; each further one is twice as long. */
const FIRST_PAUSE_MS = 100;
/** The longest pause, so that a server that is back is found well within `RECONNECT_LIMIT_MS`. */
const LONGEST_PAUSE_MS = 2_500;

/** Follows one connection of a user, from joining to leaving. */
export interface ConnectionWatch {
  /** Resolves when the document is in sync for the first time; rejects if the connection ends before that. */
  joined: Promise<void>;
  /** The document is in sync with the server: for the first time, or again. */
  inSync(): void;
  /** The connection ended, with this WebSocket close code. */
  broke(code: number): void;
  /** The server refuses: there is no use in trying again. */
  refused(reason: string, how?: TurnedAwayAs): void;
  /** This connection is of no use, and the next may be: the last reason tells why a user who is lost was not back. */
  failed(reason: string): void;
  /** The user leaves: what happens from now on is no loss. */
  stop(): void;
}

/** Callbacks and limit of a client for its connection; see `JoinOptions`. */
type Callbacks = Pick<JoinOptions, 'onBroken' | 'onReconnected' | 'onLost' | 'reconnectLimitMs'>;

export interface WatchOptions extends Callbacks {
  framework: string;
  /** Ends the attempts to bring the connection back. */
  giveUp: () => void;
  /** Asked at the limit, by default false: whether the connection is back, and of use, though nothing said so. */
  isBackUnsaid?: () => boolean;
}

/** Calls `onReconnected` for each break that ended in sync within the limit, else `onLost`, once. */
export function watchConnection(options: WatchOptions): ConnectionWatch {
  const { framework, onBroken, onReconnected, onLost, giveUp, isBackUnsaid } = options;
  const { reconnectLimitMs = RECONNECT_LIMIT_MS } = options;
  const joined = Promise.withResolvers<void>();
  let state: 'joining' | 'in sync' | 'broken' | 'ended' = 'joining';
  let limit: ReturnType<typeof setTimeout> | undefined;
  let lastFailure: string | null = null;
  const end = () => {
    state = 'ended';
    clearTimeout(limit);
  };
  const lose: JoinOptions['onLost'] = (reason, how) => {
    if (state === 'ended') return;
    const before = state;
    end();
    giveUp();
    if (before === 'joining') joined.reject(new Error(reason));
    else onLost(reason, how);
  };
  const inSync = () => {
    if (state === 'ended') return;
    const before = state;
    state = 'in sync';
    lastFailure = null;
    clearTimeout(limit);
    if (before === 'joining') joined.resolve();
    if (before === 'broken') onReconnected();
  };
  return {
    joined: joined.promise,
    inSync,
    broke(code) {
      const reason = whyClosed({ framework, code });
      // A message that was too large would be so again: there is no use in coming back.
      if (state === 'joining' || code === CLOSED_TOO_LARGE) {
        lose(reason);
      } else if (state === 'in sync') {
        state = 'broken';
        onBroken?.();
        if (reconnectLimitMs === null) return;
        const tooLate = `${reason}, and the user was not back within ${reconnectLimitMs / 1000} s`;
        const loseLate = () => lose(lastFailure === null ? tooLate : `${tooLate}: ${lastFailure}`);
        limit = setTimeout(() => (isBackUnsaid?.() ? inSync() : loseLate()), reconnectLimitMs);
      }
    },
    refused: (reason, how = 'refused') => lose(reason, how),
    failed(reason) {
      lastFailure = reason;
      if (state === 'joining') lose(reason);
    },
    stop: end,
  };
}

export interface LastingSocketOptions extends Callbacks {
  framework: string;
  /** A function if the address changes from attempt to attempt. */
  url: string | (() => string);
  /** Gets each socket that opened, before any message, and once more after it broke. */
  onOpen: (socket: WebSocket) => void;
  onMessage: (data: ArrayBuffer | string) => void;
  onClose: (event: CloseEvent) => void;
}

export interface LastingSocket {
  /** Opens it. Resolves once `inSync` was called. @throws Error naming the framework if the server refuses */
  open(): Promise<void>;
  /** The caller found its document in sync with the server: for the first time, or again. */
  inSync(): void;
  /** The server refuses, over an open connection: it is given up. */
  refused(reason: string): void;
  /** This connection is of no use: it is closed, and the next may do better. Who joins is refused. */
  failed(reason: string): void;
  /** Closes it for good. */
  close(): void;
}

/** A WebSocket that opens again when it broke, after pauses that grow until it is in sync. */
export function createLastingSocket(options: LastingSocketOptions): LastingSocket {
  const { framework, url, onOpen, onMessage, onClose } = options;
  const address = () => (typeof url === 'string' ? url : url());
  let socket: WebSocket | null = null;
  let closed = false;
  let attempt: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  const close = () => {
    closed = true;
    clearTimeout(attempt);
    watch.stop();
    if (socket === null) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  };
  const watch = watchConnection({ ...options, giveUp: close });

  const follow = (opened: WebSocket) => {
    socket = opened;
    opened.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => onMessage(data);
    opened.onclose = (event) => {
      onClose(event);
      watch.broke(event.code);
      if (!closed) reopen();
    };
    onOpen(opened);
  };
  const reopen = () => {
    attempt = setTimeout(async () => {
      // A refusal is no news: the watch says when there were enough of them.
      const opened = await openSocket({ framework, url: address() }).catch(() => null);
      if (closed) opened?.close();
      else if (opened === null) reopen();
      else follow(opened);
    }, pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  };
  return {
    async open() {
      follow(await openSocket({ framework, url: address() }));
      await watch.joined;
    },
    inSync() {
      pauseMs = FIRST_PAUSE_MS;
      watch.inSync();
    },
    refused: watch.refused,
    failed(reason) {
      watch.failed(reason);
      if (!closed) socket?.close();
    },
    close,
  };
}

/** How long a client that can bring its connection back may try. */
export const RECONNECT_LIMIT_MS = 10_000;

/** RFC 6455, section 7.4.1 */
const CLOSED_TOO_LARGE = 1009;

/**
 * Opens a binary WebSocket to a framework's server.
 *
 * @throws Error naming the framework if the server cannot be reached or refuses
 */
function openSocket({ framework, url }: { framework: string; url: string }): Promise<WebSocket> {
  const socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  return new Promise((resolve, reject) => {
    socket.onopen = () => {
      socket.onerror = null;
      socket.onclose = null;
      resolve(socket);
    };
    const refuse = () => reject(new Error(whyNotOpened({ framework, url })));
    socket.onerror = refuse;
    socket.onclose = refuse;
  });
}

/** Why a WebSocket did not open: there is no more to be learned of it. */
export function whyNotOpened({ framework, url }: { framework: string; url: string }): string {
  return `no WebSocket connection to the ${framework} server at ${url}: it does not listen, or refuses`;
}

/** Why a connection ended, for the reasons of a verdict. */
function whyClosed({ framework, code }: { framework: string; code: number }): string {
  const what = `the ${framework} server closed the connection (code ${code})`;
  return code === CLOSED_TOO_LARGE
    ? `${what}: a message was larger than it takes; send smaller ones, with a shorter batching.send`
    : what;
}
