/** WebSockets of the clients: opening one, and saying in words why one ended. */

/** How long a client that can bring its connection back may try. */
export const RECONNECT_LIMIT_MS = 10_000;

/** RFC 6455, section 7.4.1 */
export const CLOSED_TOO_LARGE = 1009;

/**
 * Opens a binary WebSocket to a framework's server.
 *
 * @throws Error naming the framework if the server cannot be reached or refuses
 */
export function openSocket({ framework, url }: { framework: string; url: string }): Promise<WebSocket> {
  const socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  return new Promise((resolve, reject) => {
    socket.onopen = () => {
      socket.onerror = null;
      socket.onclose = null;
      resolve(socket);
    };
    const refuse = () =>
      reject(new Error(`no WebSocket connection to the ${framework} server at ${url}: it does not listen, or refuses`));
    socket.onerror = refuse;
    socket.onclose = refuse;
  });
}

/** Why a connection ended, for the reasons of a verdict. */
export function whyClosed({ framework, code }: { framework: string; code: number }): string {
  const what = `the ${framework} server closed the connection (code ${code})`;
  return code === CLOSED_TOO_LARGE
    ? `${what}: a message was larger than it takes; send smaller ones, with a shorter batching.send`
    : what;
}
