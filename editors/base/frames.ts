/**
 * When a screen showed something: what changed is read as its frame is made (`requestAnimationFrame`), and stamped in the
 * task that follows the rendering.
 */

/**
 * @param options.read        called before the frame is rendered: what it changes
 * @param options.onPresented called after it was rendered, with the time in ms since the epoch on this process's own clock
 * @returns a function to call with each change; of one frame, however many times
 */
export function stampFrames<Change>(options: {
  read: () => Change;
  onPresented: (change: Change, atMs: number) => void;
}): () => void {
  const rendered = new MessageChannel();
  let isFrameAsked = false;
  let unstamped: Change[] = [];
  rendered.port1.onmessage = () => {
    const atMs = performance.timeOrigin + performance.now();
    const changes = unstamped;
    unstamped = [];
    for (const change of changes) options.onPresented(change, atMs);
  };
  return () => {
    if (isFrameAsked) return;
    isFrameAsked = true;
    requestAnimationFrame(() => {
      isFrameAsked = false;
      unstamped.push(options.read());
      rendered.port2.postMessage(null);
    });
  };
}
