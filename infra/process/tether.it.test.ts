import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isAlive } from '../../results/run-folder/is-alive.ts';

/** A process that has tethered one that is busy, and perhaps given it free. */
async function holder({ isFreed }: { isFreed: boolean }): Promise<{ holder: ChildProcess; held: number }> {
  const script = `
    import { spawn } from 'node:child_process';
    import { tether } from ${JSON.stringify(join(import.meta.dirname, 'tether.ts'))};
    const child = spawn(process.execPath, ['--eval', 'for (;;);'], { detached: true, stdio: 'ignore' });
    const release = tether(child.pid);
    ${isFreed ? 'release();' : ''}
    console.log(child.pid);
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  const [said] = await once(holder.stdout, 'data');
  return { holder, held: Number(said) };
}

test('what is tethered ends when its holder is killed, however busy it is', async () => {
  const { holder: killed, held } = await holder({ isFreed: false });
  expect(isAlive(held)).toBe(true);
  killed.kill('SIGKILL');
  await vi.waitUntil(() => !isAlive(held), 5000);
});

test('what was given free lives on', async () => {
  const { holder: killed, held } = await holder({ isFreed: true });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isAlive(held)).toBe(true);
  process.kill(-held, 'SIGKILL');
});
