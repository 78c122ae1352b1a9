/** CPU profiles of this process. */
import { Session } from 'node:inspector/promises';

/** As JSON in the format that Chrome DevTools opens. */
export async function takeCpuProfile(durationMs: number): Promise<string> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return JSON.stringify(profile);
}
