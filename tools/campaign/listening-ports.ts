/** Where processes of this machine listen, from Linux's /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** `st` of /proc/net/tcp. */
const LISTENING = '0A';

/** TCP ports, in ascending order. */
export function listeningPorts(pids: readonly number[]): number[] {
  const own = new Set(pids.flatMap(socketsOf));
  const ports = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTENING && own.has(inode!))
      .map(([, address]) => Number.parseInt(address!.split(':')[1]!, 16)),
  );
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** Their numbers in the tables. What has just ended, or was closed, has none. */
function socketsOf(pid: number): string[] {
  const descriptors = orNone(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return descriptors.flatMap((descriptor) => {
    const target = orNone(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? '';
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
  });
}

function orNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
