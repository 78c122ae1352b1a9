/** The Python of this machine. */
import { runCommand } from '../infra/process/child.ts';

/** It begins at once; one that takes this long hangs. */
const ANSWER_LIMIT_MS = 10_000;
const ADVICE = 'install it (Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python)';
/** Debian has what makes environments in a package of its own. */
const ASK = `
import sys
print(sys.version.split()[0])
import ensurepip, venv`;

/**
 * Asks `python3` for its version, and whether it can make environments.
 *
 * @param least the oldest that will do, such as `3.10`
 * @returns its version, or why there is none that will do, with what to do
 */
export async function findPython(least: string): Promise<{ version: string } | { problem: string }> {
  let version: string;
  try {
    version = await runCommand(['python3', '-I', '-c', ASK], { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { problem: `there is no python3 on this machine; ${ADVICE}` };
    const lastWords = message.trim().split('\n').at(-1);
    return { problem: `the python3 of this machine cannot make environments (${lastWords}); ${ADVICE}` };
  }
  if (isOlder(version, least)) return { problem: `the python3 of this machine is ${version}; install a newer one` };
  return { version };
}

function isOlder(version: string, least: string): boolean {
  const [major, minor] = version.split('.').map(Number) as [number, number];
  const [leastMajor, leastMinor] = least.split('.').map(Number) as [number, number];
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
