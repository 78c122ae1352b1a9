/** Takes so much of this process's CPU time, ms: of the CPU's own time, so that a busy machine changes nothing. */
export function burn(ms: number): void {
  if (ms === 0) return;
  const cpuMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const until = cpuMs() + ms;
  while (cpuMs() < until);
}
