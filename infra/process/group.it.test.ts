import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isAlive } from '../../results/run-folder/process-name.ts';
import { untilGroupEnds } from './group.ts';

/** A process that starts another and ends. */
async function leave(command: string): Promise<{ group: number; left: number }> {
  const first = spawn('sh', ['-c', `${command} & echo $!`], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const [said] = await once(first.stdout!, 'data');
  // Its output stays open as long as the other lives.
  first.stdout!.destroy();
  if (first.exitCode === null) await once(first, 'exit');
  return { group: first.pid!, left: Number(String(said)) };
}

test('what outlives its first process is waited for, and killed where it stays', async () => {
  const soonOver = await leave('sleep 1');
  expect(isAlive(soonOver.left)).toBe(true);
  const startMs = performance.now();
  await untilGroupEnds(soonOver.group, 60_000);
  expect(performance.now() - startMs).toBeGreaterThan(100);
  expect(performance.now() - startMs).toBeLessThan(50_000);

  const stays = await leave('sleep 30');
  await untilGroupEnds(stays.group, 100);
  await expect.poll(() => isAlive(stays.left)).toBe(false);
  await untilGroupEnds(stays.group, 100);
});
