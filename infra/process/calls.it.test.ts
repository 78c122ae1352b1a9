import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isAlive } from '../../results/run-folder/process-name.ts';
import { UserError } from '../../results/user-error.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { type CalledOptions, CalledProcess } from './calls.ts';

interface Calls {
  add(a: number, b: number): Promise<number>;
  sizeOf(map: Map<string, number>): Promise<number>;
  fail(how: 'plain' | 'user' | 'class'): Promise<void>;
  never(): Promise<void>;
}
interface News {
  added: number;
}

const SCRIPT = `
  import { answerCalls, newsTo } from ${JSON.stringify(join(import.meta.dirname, 'answers.ts'))};
  import { UserError } from ${JSON.stringify(join(import.meta.dirname, '../../results/user-error.ts'))};
  class Special extends Error { code = 'special'; }
  const tell = newsTo();
  answerCalls({
    add: async (a, b) => { tell('added', a + b); return a + b; },
    sizeOf: async (map) => map.size,
    fail: async (how) => {
      if (how === 'user') throw new UserError('mend it', { exitCode: 2 });
      throw how === 'class' ? new Special('it is') : new Error('plainly');
    },
    never: () => new Promise(() => {}),
  });`;

const folder = folderOfAllTests();
beforeAll(async () => {
  await folder.put('main.mjs', SCRIPT);
});

function start(options: Partial<CalledOptions<News>> = {}) {
  const lost: string[] = [];
  const called = new CalledProcess<Calls, News>({
    entry: folder.in('main.mjs'),
    onLost: (how) => lost.push(how),
    ...options,
  });
  return { called, lost };
}

test('a process answers calls, tells news, and ends when it is asked to', async () => {
  const sums: number[] = [];
  const { called, lost } = start({ onNews: { added: (sum) => sums.push(sum) } });
  expect(await called.call('add', 1, 2)).toBe(3);
  expect(await called.call('sizeOf', new Map([['a', 1]]))).toBe(1);
  expect(sums).toEqual([3]);
  await called.end();
  expect(isAlive(called.pid)).toBe(false);
  expect(lost).toEqual([]);
  await expect(called.call('add', 1, 2)).rejects.toThrow('the process ended too early');
});

test('errors keep what they are', async () => {
  const { called } = start({ revive: ({ kind, code }) => (kind === 'Special' ? new RangeError(code) : null) });
  await expect(called.call('fail', 'plain')).rejects.toThrow(/^plainly$/);
  await expect(called.call('fail', 'user')).rejects.toEqual(new UserError('mend it', { exitCode: 2 }));
  await expect(called.call('fail', 'class')).rejects.toEqual(new RangeError('special'));
  await called.end();
});

test('one that is killed is told of, and gives up its calls', async () => {
  const { called, lost } = start();
  await called.call('add', 1, 2);
  const unanswered = called.call('never');
  process.kill(called.pid, 'SIGKILL');
  await expect(unanswered).rejects.toThrow('ended by SIGKILL');
  expect(lost[0]).toContain('ended by SIGKILL');
  await called.end();
});

test('calls are given up when the signal aborts', async () => {
  const end = new AbortController();
  const { called } = start({ signal: end.signal });
  const unanswered = called.call('never');
  end.abort(new Error('enough'));
  await expect(unanswered).rejects.toThrow('enough');
  expect(() => called.call('never')).toThrow('enough');
  await called.end();
});

test('one that is busy is killed when it does not end', async () => {
  const { called } = start({ entry: '-e', arguments: ['for (;;);'] });
  await expect.poll(() => isAlive(called.pid)).toBe(true);
  await called.end(100);
  expect(isAlive(called.pid)).toBe(false);
});
