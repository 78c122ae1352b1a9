/** Crowds recorded in processes of their own: deterministic, agreeing, kept, checked, and right at a server that never met them. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { WebSocket as Socket } from 'ws';
import { digest } from '../../editors/base/delta.ts';
import { crowdOf, type FrameworkClient } from '../../editors/base/framework.ts';
import { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { findFramework, findFrameworks } from '../../frameworks/discover.ts';
import { byName, loadServer } from '../../frameworks/framework.ts';
import { UserError } from '../../results/user-error.ts';
import { folderOfAllTests, folderOfEachTest } from '../../tests/folders.ts';
import { never } from '../../tests/runs.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { makePlan } from '../experiment/plan.ts';
import { type CrowdPlan, recordedCrowd } from './crowd-plan.ts';
import { type Recording, readRecording } from './recording.ts';
import {
  failureOf,
  keptRecordings,
  loadOrRecord,
  readyCrowd,
  recordersThatFit,
  recordingFolder,
} from './recordings.ts';

const HOST = '127.0.0.1';
/** Of each library one: of its own server, or of the relay. */
const FRAMEWORKS = ['yjs', 'collabs', 'loro'];
/** Of five users, the first two are probes. */
const PROBES = 2;
/** More than a piece. */
const START_CHARACTERS = 12_000;

const keptIn = folderOfEachTest();

async function plan(framework: string, more: object = {}): Promise<CrowdPlan> {
  const experiment = resolveExperiment(
    {
      frameworks: framework,
      users: 5,
      probes: PROBES,
      durations: { warmUp: '0s', measure: '3s', profile: '0s' },
      typing: { sigilPeriod: '2s', formatOdds: { inline: 0.05, range: 0.05, block: 0.05 } },
      network: {
        groups: [
          { name: 'near', share: 0.5, oneWayDelay: '0s' },
          { name: 'far', share: 0.5, oneWayDelay: '40ms', jitter: '5ms' },
        ],
      },
      ...more,
    },
    { frameworks: [{ name: framework, about: {} }] },
  );
  const planned = makePlan(experiment)[0]!;
  const found = await findFramework(framework);
  // Also of one whose crowds are live in trials.
  const crowd = { ...crowdOf(found.about)!, kind: 'recorded' } as const;
  const frameworks = byName([{ ...found, about: { ...found.about, crowd } }]);
  return (await recordedCrowd(experiment, { planned, frameworks }))!;
}

describe.each(FRAMEWORKS)('%s', (framework) => {
  test('the same seed gives the same bytes; played to a server, they make the document that the crowd agreed on', async () => {
    const planned = await plan(framework, { start: { characters: START_CHARACTERS } });
    const recording = await loadOrRecord(planned, { keptIn: keptIn.path });
    await expectSameAgain(planned);
    expect(recording.users.map(({ user }) => user)).toEqual([2, 3, 4]);
    for (const { frames, sigils, ownSigils, account } of recording.users) {
      // Six keys a second, some of which change nothing: a deletion at the start, a format at a cursor.
      expect(frames.length).toBeGreaterThan(9);
      expect(frames.every(({ dueMs }, index) => dueMs >= (frames[index - 1]?.dueMs ?? 0))).toBe(true);
      expect(sigils.length).toBeGreaterThan(0);
      const typed = sigils.map(({ sigil }) => sigil);
      for (const { sigil } of ownSigils) expect(typed).toContain(sigil);
      expect(account.insertedCharacters).toBeGreaterThan(9);
    }
    // The first user puts in the document's start, before anyone types.
    const [author, ...others] = recording.users.map(({ account }) => account.insertedCharacters);
    expect(author).toBeGreaterThan(START_CHARACTERS);
    for (const inserted of others) expect(inserted).toBeLessThan(START_CHARACTERS);
    expect(await play(framework, recording)).toBe(recording.modelDigest);
  });
});

/** Plays a recording as fast as it goes. @returns the digest of what somebody gets who joins then */
async function play(framework: string, { key, users, modelDigest }: Recording): Promise<string> {
  const server = await (await loadServer(await findFramework(framework))).start({ host: HOST, port: 0 });
  const url = `ws://${HOST}:${server.port}`;
  const sockets = await Promise.all(
    users.map(async ({ path, opening }) => {
      const socket = new Socket(url + path);
      await new Promise((resolve) => socket.once('open', resolve));
      for (const frame of opening) socket.send(frame);
      return socket;
    }),
  );
  const frames = users.flatMap((user, index) => user.frames.map((each) => ({ ...each, socket: sockets[index]! })));
  for (const { frame, socket } of frames.sort((a, b) => a.dueMs - b.dueMs)) socket.send(frame);
  let joined = '';
  for (let attempt = 0; attempt < 50 && joined !== modelDigest; attempt++) {
    joined = await digestOfNewcomer(framework, url, key.documentId);
  }
  for (const socket of sockets) socket.terminate();
  await server.stop();
  return joined;
}

async function digestOfNewcomer(framework: string, url: string, documentId: string): Promise<string> {
  const { client }: { client: FrameworkClient } = await import(`../../editors/${framework}/client.ts`);
  const replica = await client.join({
    url,
    documentId,
    editor: new NoQuill(),
    batching: { receiveMs: 0, sendMs: 0 },
    onLost: (reason) => expect.unreachable(reason),
    onReconnected: () => {},
  });
  const joined = await digest(replica.contents());
  await replica.leave();
  return joined;
}

test('users who are too many for one WebAssembly memory are recorded with several, and the same each time', async () => {
  const most = crowdOf((await findFramework('automerge')).about)!.usersPerMemory!;
  const planned = await plan('automerge', {
    users: PROBES + most + 1,
    start: { characters: 100 },
    durations: { warmUp: '0s', measure: '2s', profile: '0s' },
    typing: { sigilPeriod: '2s' },
  });
  const recording = await loadOrRecord(planned, { keptIn: keptIn.path });
  expect(recording.users).toHaveLength(most + 1);
  expect(recording.users[0]!.account.insertedCharacters).toBeGreaterThan(100);
  await expectSameAgain(planned);
  expect(await play('automerge', recording)).toBe(recording.modelDigest);
});

describe('a recording that is kept', () => {
  const kept = folderOfAllTests();
  let planned: CrowdPlan;
  let recorded: Recording;
  let told = 0;
  const load = () => loadOrRecord(planned, { keptIn: kept.path, onProgress: () => told++ });
  beforeAll(async () => {
    planned = await plan('yjs');
    recorded = await load();
  });

  test('is not made again; another seed, and another crowd, are other recordings', async () => {
    expect(told).toBeGreaterThan(0);
    told = 0;
    expect(await load()).toEqual(recorded);
    expect(told).toBe(0);
    expect(await keptRecordings({ keptIn: kept.path, thorough: true })).toMatchObject([
      { problem: null, isCurrent: true },
    ]);

    const folder = recordingFolder(planned.key, kept.path);
    const others = [{ seed: 2 }, { users: 6 }, { start: { characters: 10 } }];
    for (const other of await Promise.all(others.map((each) => plan('yjs', each)))) {
      expect(recordingFolder(other.key, kept.path)).not.toBe(folder);
    }
  });

  test('is refused where it is truncated, altered, or of another format, with what to do', async () => {
    const folder = recordingFolder(planned.key, kept.path);
    const [head, frames] = [join(folder, 'head.json'), join(folder, 'frames.bin')];
    const [headText, framesBytes] = [await readFile(head, 'utf8'), await readFile(frames)];
    const refusal = async () => {
      const { message } = await readRecording(folder).then(
        () => expect.unreachable('it was read'),
        (error: Error) => error,
      );
      expect(message).toContain(`Delete that folder`);
      expect(await keptRecordings({ keptIn: kept.path, thorough: true })).toMatchObject([{ problem: message }]);
      await expect(load()).rejects.toThrow(message);
      await writeFile(head, headText);
      await writeFile(frames, framesBytes);
      return message;
    };
    await truncate(frames, framesBytes.length - 1);
    expect(await refusal()).toContain(`frames.bin has ${framesBytes.length - 1} bytes of ${framesBytes.length}`);
    await writeFile(frames, framesBytes.with(framesBytes.length - 1, framesBytes.at(-1)! ^ 1));
    expect(await refusal()).toContain('frames.bin was altered');
    await writeFile(head, headText.replace('"typingMs":3000', '"typingMs":3001'));
    expect(await refusal()).toContain('head.json was altered');
    await writeFile(head, headText.replace('"formatVersion":3', '"formatVersion":0'));
    expect(await refusal()).toContain('it is of format 0, and this version reads 3');
    await truncate(head, 100);
    expect(await refusal()).toContain('head.json cannot be read');
    await readRecording(folder);
  });

  test('is refused in the place of another, where somebody put it', async () => {
    const other = await plan('yjs', { seed: 2 });
    const place = recordingFolder(other.key, kept.path);
    await cp(recordingFolder(planned.key, kept.path), place, { recursive: true });
    await expect(loadOrRecord(other, { keptIn: kept.path })).rejects.toThrow('it holds another recording');
    await rm(place, { recursive: true });
  });
});

test('one of sources that were changed after it was planned is not kept', async () => {
  const planned = await plan('yjs-relay');
  const changed = { ...planned, key: { ...planned.key, sources: 'of before' } };
  await expect(loadOrRecord(changed, { keptIn: keptIn.path })).rejects.toThrow('were changed since it was planned');
  expect(await readdir(keptIn.path)).toEqual([]);
});

test('two that record the same at once leave one whole recording', async () => {
  const planned = await plan('yjs-relay');
  const [one, other] = await Promise.all([1, 2].map(() => loadOrRecord(planned, { keptIn: keptIn.path })));
  expect(one).toEqual(other);
  expect(await readdir(keptIn.path)).toHaveLength(1);
});

test('one that is stopped leaves nothing', async () => {
  const stopped = new AbortController();
  const recording = loadOrRecord(await plan('yjs'), {
    keptIn: keptIn.path,
    signal: stopped.signal,
    onProgress: () => stopped.abort(new Error('stopped')),
  });
  await expect(recording).rejects.toThrow('stopped');
  expect(await readdir(keptIn.path)).toEqual([]);
});

test('one that the disk does not take says nothing of the crowd', async () => {
  const refused = loadOrRecord(await plan('yjs'), {
    keptIn: keptIn.path,
    onProgress() {
      const [partial] = readdirSync(keptIn.path);
      for (;;) {
        rmSync(keptIn.in(partial!), { recursive: true, force: true });
        try {
          return writeFileSync(keptIn.in(partial!), '');
        } catch {
          // The recorder has made it again in between.
        }
      }
    },
  });
  await expect(refused).rejects.toMatchObject({ code: 'ENOTDIR', path: expect.stringContaining(keptIn.path) });
  expect(await readdir(keptIn.path)).toEqual([]);
});

test('as many recordings are made at once as the memory holds, that of WebAssembly too', () => {
  expect(recordersThatFit([{ memories: 0 }, { memories: 1_000_000 }])).toBe(1);
});

test('where WebAssembly has no memory left, it says so, and what to do', () => {
  const message = 'RuntimeError: unreachable\n    at automerge_wasm.wasm.rust_oom';
  const failed = failureOf('no crowd', { message, wasmMiB: 2000 });
  expect(failed).toBeInstanceOf(UserError);
  expect(failed.message).toBe(
    'no crowd: RuntimeError: unreachable; take fewer users, or make all of them live (--probes all)',
  );
  const full = failureOf('no crowd', { message, wasmMiB: 4095 });
  expect(full).toBeInstanceOf(UserError);
  expect(full.message).toBe(
    'no crowd: a memory of its WebAssembly, which simulated users share, is full: it holds 4.0 GiB, of at most 4; let them type for a shorter time, or give fewer users one memory (usersPerMemory in the framework’s about.ts)',
  );
});

/** Of one that was recorded. */
async function expectSameAgain(planned: CrowdPlan): Promise<void> {
  const again = keptIn.in('again');
  await loadOrRecord(planned, { keptIn: again });
  expect(await bytesOf(recordingFolder(planned.key, again))).toEqual(
    await bytesOf(recordingFolder(planned.key, keptIn.path)),
  );
}

async function bytesOf(folder: string): Promise<Record<string, string>> {
  const files = await readdir(folder);
  const bytes = await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), 'base64')]));
  return Object.fromEntries(bytes);
}

const experiment = resolveExperiment(
  {
    name: 'crowds',
    frameworks: ['yjs-relay', 'sharedb'],
    modes: ['optquill', 'noquill'],
    users: [3, 4],
    probes: 2,
    trials: 1,
    durations: { warmUp: '0s', measure: '2s', profile: '0s' },
    typing: { sigilPeriod: '2s' },
  },
  { frameworks: ['yjs-relay', 'sharedb'].map((name) => ({ name, about: {} })) },
);
const frameworks = await findFrameworks(experiment.frameworks);

/** @param given the trial, and those after it */
function ready(given: Pick<Parameters<typeof readyCrowd>[0], 'planned' | 'upcoming' | 'ahead'>, said: string[] = []) {
  const say = (text: string) => void said.push(text);
  return readyCrowd({ experiment, frameworks, keptIn: keptIn.path, signal: never, say, ...given });
}

test('while a recording is made, so are those of the next trials, one for all modes', async () => {
  const trials = makePlan(experiment);
  const recorded = trials.filter(({ framework }) => framework === 'yjs-relay');
  const said: string[] = [];
  const crowd = await ready({ planned: recorded[0]!, upcoming: trials }, said);
  expect(crowd).toMatchObject({ kind: 'recorded' });
  expect(recorded).toHaveLength(4);
  expect(await keptRecordings({ keptIn: keptIn.path })).toHaveLength(2);
  expect(said.join('\n')).toContain('recording the crowd of 1 users of yjs-relay');
});

test('of trials that only may follow, no more are recorded than other cores wait', async () => {
  const [first, ...ahead] = makePlan(experiment).filter(({ framework }) => framework === 'yjs-relay');
  const many = ahead.flatMap((planned) => [1, 2, 3].map((seed) => ({ ...planned, seed })));
  await ready({ planned: first!, ahead: many });
  expect(await keptRecordings({ keptIn: keptIn.path })).toHaveLength(Math.min(1 + many.length, recordersThatFit([])));
});

test('a live crowd, or none, needs no recording', async () => {
  const planned = makePlan(experiment).find(({ framework }) => framework === 'sharedb')!;
  expect(await ready({ planned })).toEqual({
    kind: 'live',
    patched: expect.stringContaining('rich-text'),
  });
  expect(await ready({ planned: { ...planned, probes: undefined } })).toBeUndefined();
  expect(await readdir(keptIn.path)).toEqual([]);
});
