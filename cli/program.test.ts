/** Commands as they are written, without a process of their own; cli/main.it.test.ts has what is only seen from outside. */
import type { AddressInfo } from 'node:net';
import { CommanderError } from 'commander';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { UserError } from '../results/user-error.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { createProgram, nameOf, withSubcommands } from './program.ts';

const folder = folderOfEachTest();
// With no trace fetched, whatever this machine holds.
beforeEach(() => void vi.stubEnv('SCRIPTORIUM_CACHE', folder.in('cache')));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function scriptorium(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [process.stdout, process.stderr].map((stream) => {
    const written: string[] = [];
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    return written;
  });
  // The test runner has replaced this one, which writes past the stream.
  vi.spyOn(console, 'log').mockImplementation((text) => void stdout!.push(`${text}\n`));
  const program = await createProgram(args[0]);
  const error = await program.parseAsync(args, { from: 'user' }).then(
    () => null,
    (thrown: CommanderError | UserError) => thrown,
  );
  vi.restoreAllMocks();
  const code = error instanceof CommanderError ? 2 : (error?.exitCode ?? 0);
  return { code, stdout: stdout!.join(''), stderr: [...stderr!, error?.message].join('\n') };
}

test('every help lists the exit codes', async () => {
  const commands = withSubcommands(await createProgram());
  expect(commands.length).toBeGreaterThan(20);
  for (const command of commands) {
    let help = '';
    command.configureOutput({
      writeOut(text) {
        help += text;
      },
    });
    command.outputHelp();
    expect(help, nameOf(command)).toMatch(/130 +interrupted/);
  }
});

test.each<[string[], string]>([
  [['completions', 'tcsh'], '"tcsh" is no shell for this; write one of: bash, zsh, fish'],
  [['quick', 'yjs', '--users', '4,8'], 'from 1 to 1296; run FILE --users 4,8 takes several'],
  [['quick', 'yjs', '--users', '2000'], 'from 1 to 1296'],
  [['max', 'yjs', '--server-pid', '42'], '--server-container and --metrics are for --server URL; give it too'],
  [['run', 'attach', '--users', '101'], '101 users are more than 100; say --yes'],
  [['submit', '/etc/passwd'], '/etc/passwd is no packed run; give a folder'],
  [['traces', 'fetch', 'nope', 'neither'], 'The catalogue has no trace "nope"'],
])('%j is refused with what to do', async (args, message) => {
  expect(await scriptorium(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test('plan reads the plan of a run, as run does', async () => {
  const { stdout } = await scriptorium('plan', 'smoke', '--json');
  const { experiment, trials } = JSON.parse(stdout);
  const kept = { schemaVersion: 1, startedAt: '2026-11-26T00:00:00.000Z', experiment, trials: trials.slice(1) };
  await folder.put('plan.json', JSON.stringify(kept));
  expect(await scriptorium('plan', folder.in('plan.json'))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('smoke: 1 trial '),
  });
});

test('a bad experiment file lists all its problems with their places, and starts nothing', async () => {
  await folder.put('bad.yaml', 'name: x\nframworks: yjs\nusers: -3\ndurations: { warmUp: 10 }\n');
  const { code, stdout, stderr } = await scriptorium('run', folder.in('bad.yaml'), '--trials', 'many');
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('2:1 framworks: there is no such property; did you mean "frameworks"?');
  expect(stderr).toContain('3:8 users: -3 is not valid');
  expect(stderr).toContain('4:22 durations.warmUp: 10 is not valid; write it with its unit: 10ms, 10s or 10m');
  expect(stderr).toContain('--trials');
});

test('plan prints the trials in order and what they take, without running them', async () => {
  const { code, stdout } = await scriptorium('plan', 'harness/experiments/smoke.yaml', '--users', '2,4');
  expect(code).toBe(0);
  expect(stdout).toMatch(/smoke: 4 trials/);
  expect(stdout).toMatch(/in all: /);
  const all = await scriptorium('plan', 'harness/experiments/smoke.yaml', '--users', '2,4', '--all');
  expect(all.stdout.split('\n').length).toBeGreaterThan(stdout.split('\n').length);
});

test('plan says how to get a trace that is not here yet, and refuses one that is nowhere', async () => {
  const paper = ['plan', 'harness/experiments/paper-noquill.yaml', '--users', '2'];
  const { code, stdout } = await scriptorium(...paper);
  expect(code).toBe(0);
  expect(stdout).toContain('"automerge-paper" is not here yet: ./scriptorium traces fetch automerge-paper');
  const unknown = await scriptorium(...paper, '--trace', 'automerge-papr');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "automerge-paper"?') });
});

test('hello prints what a server says as text, and what to change before users can type', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  // Of Hocuspocus: the document "d", authentication, denied, why.
  const denied = Uint8Array.from([1, 100, 2, 1, 4, ...Buffer.from('\x1b[2J')]);
  server.on('connection', (socket) => socket.send(denied));
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const { stdout } = await scriptorium('hello', `ws://127.0.0.1:${port}`, '--document', 'd');
  expect(stdout).toContain('gives out no document with this token: \ufffd[2J.');
  expect(stdout).toContain('Before users can type there: give another --token');
  server.close();
});
