import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { putBeforeOthers } from './host-process.ts';

test.runIf(process.getuid?.() === 0)(
  'the process goes before others, by five steps, and so does its session',
  async () => {
    const url = new URL('host-process.ts', import.meta.url).href;
    const script = `
    import { existsSync, readFileSync } from 'node:fs';
    import { putBeforeOthers } from ${JSON.stringify(url)};
    const nice = putBeforeOthers();
    const group = '/proc/self/autogroup';
    console.log(nice, existsSync(group) ? readFileSync(group, 'utf8').trim().split(' ').at(-1) : nice);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { detached: true });
    const [said] = await once(child.stdout, 'data');
    const wanted = getPriority() - 5;
    // The process, and its session.
    expect(String(said)).toBe(`${wanted} ${wanted}\n`);
  },
);

test('without the right it goes on as it was', () => {
  const refuse = () => {
    throw new Error('EACCES');
  };
  expect(putBeforeOthers({ set: refuse })).toBe(getPriority());
});
