/** Commands as they are written, without a process of their own; cli/main.it.test.ts has what is only seen from outside. */
import { access, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { writeHandMadeRun } from '../analysis/test-data/hand-made-run.ts';
import { scriptorium } from '../tests/command-line.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { createProgram, helpFile, nameOf, withSubcommands } from './program.ts';

const folder = folderOfEachTest();
// With no trace fetched, whatever this machine holds.
beforeEach(() => void vi.stubEnv('SCRIPTORIUM_CACHE', folder.in('cache')));
afterEach(() => void vi.unstubAllEnvs());

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
  [['rnu'], 'Did you mean run?'],
  [['--verison'], 'there is no option "--verison" (did you mean "--version"?)'],
  [['run', 'x.yaml', '--user', '2'], "unknown option '--user'"],
  [['run'], "'file'"],
  [['traces', 'show'], './scriptorium traces show --help lists its arguments'],
  [['traces', 'shwo'], './scriptorium traces --help lists the commands'],
  [['crowd', 'check', 'x'], './scriptorium crowd check --help lists its arguments'],
  [['list', 'yjss'], 'there is no framework "yjss" (did you mean "yjs"?); write one of: '],
  [['attach', 'ws://127.0.0.1:1', '--framework', 'yjss'], '1 problem:\n  --framework: there is no framework "yjss"'],
  [['attach', 'ws://x', '--framework', 'collabs'], '  --framework: "collabs" has no way to a server'],
  [
    ['attach', 'ws://x', '--framework', 'yjs', '--join-every', '5'],
    '  --join-every: "5" is not valid; write it with its unit',
  ],
  [['attach', 'ws://x', '--framework', 'yjs', '--token', 'abc'], '  --token: the token stands there for everyone'],
  [['hello', 'ws://x', '--header', 'a\nb: c'], 'a header stands there that has no name, or'],
  [['completions', 'tcsh'], '"tcsh" is no shell for this; write one of: bash, zsh, fish'],
  [['quick', 'yjs', '--users', '4,8'], 'from 1 to 1296; run FILE --users 4,8 takes several'],
  [['quick', 'yjs', '--users', '2000'], 'from 1 to 1296'],
  [['max', 'yjs', '--server-pid', '42'], 'for --server URL only: --server-pid; give that too'],
  [['quick', 'yjs', '--out', ''], '--out is "", which is nothing; write <folder> there, or leave it out'],
  [['max', 'yjs', '--resume'], '--resume needs --out FOLDER'],
  [['campaign', 'people', '--plan', '--report'], "option '--report' cannot be used with option '--plan'"],
  [['campaign', 'people', '--plan', '--for', '2h'], "option '--plan' cannot be used with option '--for <time>'"],
  [['report', ''], 'an argument is "", which is nothing'],
  [['explore', 'yjs', '--for', '0s'], 'Give a time such as'],
  [['explore', 'yjs', '--worlds', '0'], 'Write a whole number from 1'],
  [['explore', 'yjs', '--worlds', '1', '--for', '1m'], "'--worlds <number>' cannot be used with option '--for <time>'"],
  [['explore', '--replay', 'x', '--servers', '2'], "cannot be used with option '--servers <number>'"],
  [['check', 'yjs', '--capabilities', '--seed', '3'], "cannot be used with option '--seed <number>'"],
  [['list', 'yjs', '--experiments'], 'yjs names frameworks; give one of them'],
  [['test', '--seed', '1', '--count', '2'], 'for --faults only: --seed, --count; give that too'],
  [['run', 'attach', '--users', '101'], '101 users are more than 100; say --yes'],
  [['submit', '/etc/passwd'], '/etc/passwd is no packed run; give a folder'],
  [['traces', 'fetch', 'nope', 'neither'], 'The catalogue has no trace "nope"'],
  [['RUN'], 'unknown command \'RUN\' (did you mean "run"?)'],
  [['smoke'], 'to run that experiment: ./scriptorium run smoke'],
  [['quick', 'yjs', '--users', '2', '--users', '3'], "option '--users <number>' is given twice; write it once\n"],
  [['plan', 'smoke', '--seed', '1', '--seed', '2'], "option '--seed <number>' is given twice; write it once\n"],
  [
    ['plan', 'smoke', '--users', '2', '--users', '3'],
    'It is given twice; write it once, several values with commas: 2,3.',
  ],
  [['plan', 'smoke', '--users', '2 4'], '--users: several values stand with commas between them, not "2 4"; write 2,4'],
  [
    ['plan', 'smoke', '--engines', 'yjs'],
    '--engines: there is no such property; the scenario replay or state has "engines"',
  ],
  [['max', 'yjs', '--conditions', 'b4'], 'b4 is of the scenario "replay", which this command cannot use'],
  [['list', '--chrome', 'beta'], '(the launcher takes it, before a command: ./scriptorium --chrome VERSION COMMAND)'],
  [['--chrome=beta', 'list'], '--chrome is for the launcher: ./scriptorium --chrome VERSION'],
  [['sql', 'RUN', 'SELECT', '1'], '(a value with spaces stands between quotes; '],
  [['hello', 'ws://x', '--header', 'x'], '--header: "x" is not valid; write a header as "Name: value"'],
  [['hello', 'ws://x', '--ca', 'ca.pem'], '--ca is for wss://, and nothing on the way to ws://x is encrypted'],
  [['attach', 'ws://x', '--framework', 'yjs', '--series', 'a'], '--series names series of --metrics URL: add that'],
  [['attach', 'ws://x', '--framework', 'yjs', '--write'], '--write is about the documents of --document NAME: add'],
  [['site', '--code', 'not an address'], 'Write an address such as https://example.org/'],
  [['campaign', 'first-question', '--report', '--out', 'no/folder'], 'no/folder holds no campaign: there is no such'],
  [['campaign', 'first-question', '--plan', '--out', '/etc/passwd'], '/etc/passwd is no folder; give one with --out'],
])('%j is refused with what to do', async (args, message) => {
  expect(await scriptorium(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test('options that gather a list may be repeated; the launcher’s option is in the help of all commands alone', async () => {
  const twice = ['--where', 'throughputPercent > 4', '--where', 'throughputPercent > x'];
  const { stderr } = await scriptorium('max', 'yjs', ...twice);
  expect(stderr).toContain('the condition "throughputPercent > x": "x" is no number');
  expect(await helpFile()).toContain('--chrome <version>');
  expect((await createProgram()).commands.map((command) => command.helpInformation()).join('')).not.toContain(
    '--chrome',
  );
});

test('a comment behind a command is none of its arguments', async () => {
  const { code, stdout } = await scriptorium('list', '--experiments', '#', 'all', 'that', 'are', 'here');
  expect(code).toBe(0);
  expect(stdout).toContain('smoke');
});

test('a campaign’s parts are missing as a whole; a card of which nothing is measured says so; ci repeats its bounds', async () => {
  await folder.put('none.yaml', 'name: none\n');
  const { stderr } = await scriptorium('campaign', folder.in('none.yaml'));
  expect(stderr).toContain('  parts: "parts" is missing; write a list of one value to 1000');
  const { stdout } = await scriptorium('capacity', 'yjs', '--report', '--out', folder.in('cards'));
  expect(stdout).toMatch(/^yjs: nothing is measured yet; measure with \.\/scriptorium capacity yjs --out /);
  await expect(access(folder.in('cards'))).rejects.toThrow('ENOENT');
  const bound = 'localLatencyMs.p50 > +10%';
  await scriptorium('ci', folder.in('nothing'), '--base', 'main', '--fail-if', bound, '--out', folder.in('ci'));
  expect(await readFile(folder.in('ci/ci.json'), 'utf8')).toContain(`--fail-if '${bound}'`);
});

test('the time of a plan is a limit where people type, and an estimate of single documents', async () => {
  const keys = async (name: string) => Object.keys(JSON.parse((await scriptorium('plan', name, '--json')).stdout));
  expect(await keys('smoke')).toEqual(['experiment', 'trials', 'atMostMs']);
  expect(await keys('b4')).toEqual(['experiment', 'trials', 'aboutMs']);
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
  const flagged = await scriptorium('plan', folder.in('plan.json'), '--users', '8', '-n', '2');
  const elsewhere = await scriptorium('run', folder.in('plan.json'), '--on', 'moon');
  expect(flagged).toMatchObject({ code: 2, stderr: expect.stringContaining('takes no --users, --trials; give') });
  expect(elsewhere).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"moon" is not valid; write one of: local'),
  });
  // As there was one delay, its trials did not name it.
  experiment.store.writeDelayMs = 200;
  await folder.put('plan.json', JSON.stringify(kept));
  expect(await scriptorium('run', folder.in('plan.json'))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /plan\.json is not as a run writes it; .*:\n✖ a list of.*\n {2}→ at store\.writeDelayMs/,
    ),
  });
});

test('a flag that only says how people type is refused for a document scenario, with what to do', async () => {
  await folder.put('replay.yaml', 'scenario: replay\nengines: string\n');
  expect(await scriptorium('run', folder.in('replay.yaml'), '--show', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'the scenario replay takes no --show, --yes, valid only for experiments in which people type; leave that out',
    ),
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

test('a block with documents takes about so long, and only one of typing at most', async () => {
  const { stdout } = await scriptorium('campaign', 'first-question', '--plan', '--out', folder.in('empty'));
  expect(stdout).toMatch(/^comparison .* at most 1 h/m);
  expect(stdout).toMatch(/^documents .* about \d+ min/m);
});

test('of ready-made experiments only those in which people type have a time that they cannot exceed', async () => {
  const { stdout } = await scriptorium('list', '--experiments');
  expect(stdout).toMatch(/^demo +at most 1 min/m);
  expect(stdout).toMatch(/^kept +about \d+ min/m);
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

test('a trace that is not there, and a folder that holds a run already, are refused with what to do', async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await scriptorium('run', 'harness/experiments/smoke.yaml', ...args);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused('--trace', 'nope', '--out', folder.in('a'))).toContain('traces add FILE');
  await folder.put(
    'plan.json',
    '{"schemaVersion":1,"startedAt":"2027-01-01T00:00:00.000Z","experiment":{"name":"x"},"trials":[]}',
  );
  expect(await refused('--out', folder.path)).toContain('--resume');
  expect(await refused('--out', folder.path, '--resume')).toContain('another experiment');
  expect(await refused('--out', folder.in('nothing'), '--resume')).toContain('no run to resume');
});

test('where results cannot go, a sentence says why, before anything runs', async () => {
  const [run, file] = [folder.in('a-run'), folder.in('a-file')];
  const figures = { localMs: 30, endToEndMs: 300, serverCpuPercent: 20 };
  await writeHandMadeRun(run, { trials: [{ figures }], isAnalysed: true });
  await writeFile(file, '');
  const isFile = new RegExp(
    `^scriptorium: ${file}\\S* cannot be used: it is a file, or lies below one; give a folder$`,
  );
  const isNone = /^scriptorium: \/proc\/nowhere cannot be used: no folder can be made there; give a folder$/;
  const refusals: [RegExp, ...string[]][] = [
    [isFile, 'report', run, '--png', '-o', `${file}/below`],
    [isFile, 'ci', 'yjs', '--base', 'v1', '-o', file],
    [isNone, 'site', '-o', '/proc/nowhere'],
    [/could not be made.*: no folder can be made there/, 'new-framework', '/proc/nowhere/mine'],
    [/cannot take a run's results/, 'max', 'yjs', '-o', '/proc/nowhere'],
    [/cannot take a run's results/, 'campaign', 'first-question', '-o', `${file}/below`],
  ];
  for (const [message, ...args] of refusals) {
    const { code, stderr } = await scriptorium(...args);
    expect(code, args.join(' ')).toBeGreaterThan(1);
    expect(stderr.trim().split('\n').at(-1), args.join(' ')).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /m);
  }
});
