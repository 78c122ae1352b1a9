import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { CUT_OFF_EXIT_CODE } from '../../infra/fleet.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { CONTROL_URL_VARIABLE } from './protocol.ts';

test.each([
  ['harness/server/main.ts', []],
  ['harness/crowd/main.ts', ['--recording', 'none']],
  ['harness/users/main.ts', []],
])('%s says in a sentence that it cannot reach the coordinator', async (entry, args) => {
  // Nobody listens there.
  const url = 'ws://127.0.0.1:1/token/control';
  const child = spawn(process.execPath, [entry, '--framework', 'yjs', '--mode', 'node', ...args], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, [CONTROL_URL_VARIABLE]: url },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(CUT_OFF_EXIT_CODE);
  expect(said).toMatch(/^it could not connect to the coordinator: .+\n$/);
});
