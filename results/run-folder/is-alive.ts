/** Whether a process of this machine is there, also where it is another user's. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It lives, but belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
