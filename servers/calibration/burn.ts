/** Burns this much CPU time of this process, ms. CPU time, not wall time, so that a busy machine changes nothing. */
export function burn(ms: number): void {
  if (ms === 0) return;
  const cpuMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const until = cpuMs() + ms;
  while (cpuMs() < until);
}
