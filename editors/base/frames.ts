/**
 * The time at which a screen showed something. With frames, a change is read as its frame is made (`requestAnimationFrame`)
 * and stamped in the task that follows the rendering. Without rendering, it is stamped in the task that follows the change.
 * Either way, all that editor and binding do with the change is over by then.
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
  const stamp = stampTasks(options.onPresented);
  let isFrameAsked = false;
  return () => {
    if (isFrameAsked) return;
    isFrameAsked = true;
    requestAnimationFrame(() => {
      isFrameAsked = false;
      stamp(options.read());
    });
  };
}

/**
 * @param onDone called in the task after the one that changes something, with the time as above
 * @returns a function to call with each change; of one task, however many times
 */
export function stampTasks<Change>(onDone: (change: Change, atMs: number) => void): (change: Change) => void {
  const done = new MessageChannel();
  let unstamped: Change[] = [];
  done.port1.onmessage = () => {
    const atMs = performance.timeOrigin + performance.now();
    const changes = unstamped;
    unstamped = [];
    for (const change of changes) onDone(change, atMs);
  };
  // In Node, a screen alone must not keep the process alive.
  (done.port1 as { unref?(): void }).unref?.();
  return (change) => {
    if (unstamped.push(change) === 1) done.port2.postMessage(null);
  };
}
