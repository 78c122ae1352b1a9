/** Real trials without Chrome: two probes, and a crowd that is played from a recording. */
import { setupWSConnection } from '@y/websocket-server/utils';
import { beforeAll, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { openRecords, type RecordsDatabase } from '../../analysis/views/database.ts';
import { client } from '../../editors/yjs/client.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import type { Frame } from '../../infra/virtual/network.ts';
import { frameworkServer } from '../../servers/listen.ts';
import { type BrokenFramework, brokenDocument, honest } from '../../tests/broken-frameworks/broken-framework.ts';
import { temporaryFolder } from '../../tests/folders.ts';
import { crowdFleet, recordByHand } from '../../tests/hand-made-crowd.ts';
import { codesButPace, QUIET_TRIAL } from '../../tests/runs.ts';
import type { Edit } from '../../traces/edits.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { runTrial } from '../trial/trial.ts';
import { OWN_SERVER } from '../trial/trial-options.ts';
import type { Action } from '../users/typing/typist.ts';
import type { RecordedUser } from './recording.ts';

const frameworks = discoverFrameworks();
const PROBES = 2;
const USERS = 6;
const DOCUMENT = 'played';

/** Yjs, with something done to each connection. Its server keeps all documents of a process, so each trial has its own here. */
function yjsWith(defect: (socket: WebSocket) => void = () => {}): BrokenFramework {
  const server = frameworkServer((connections) => {
    const room = crypto.randomUUID();
    connections.on('connection', (socket, request) => {
      defect(socket);
      request.url = `/${room}${request.url}`;
      setupWSConnection(socket, request);
    });
    return null;
  });
  return { client: () => client, server };
}
const yjs = yjsWith();

const PROSE: Action[] = [
  ...[...'some words'].map((text): Action => ({ kind: 'key', move: 0, text })),
  { kind: 'backspace', move: 0 },
  { kind: 'key', move: 0, text: '\n' },
  { kind: 'erase', move: -6, length: 3 },
  { kind: 'delete', move: -9 },
];
const EDITS = PROSE as Edit[];

async function run(
  framework: BrokenFramework,
  given: {
    crowd: readonly RecordedUser[];
    settle?: string;
    during?: (fleet: ReturnType<typeof crowdFleet>) => void;
    /** Looks at the records, before these are gone: most trials are only judged. */
    read?: (records: RecordsDatabase) => Promise<void>;
  },
) {
  await using directory = await temporaryFolder();
  const fleet = crowdFleet(framework, given.crowd, { documentId: DOCUMENT });
  const experiment = resolveExperiment(
    {
      name: 'played',
      frameworks: ['yjs'],
      modes: ['noquill'],
      users: [USERS],
      probes: PROBES,
      durations: { warmUp: '1s', measure: '5s', profile: '0s', settle: given.settle ?? '60s' },
      typing: { keysPerSecond: 20, sigilPeriod: '1s' },
      batching: { sendFromUsers: 'never' },
    },
    { frameworks: await frameworks },
  );
  const cell = { cell: 'played', framework: 'yjs', mode: 'noquill', users: USERS, probes: PROBES };
  const verdict = await runTrial({
    planned: { ...cell, trial: 1, seed: 1, directory: '', document: DOCUMENT },
    experiment,
    version: '1',
    source: OWN_SERVER,
    startText: '',
    editsFor: () => EDITS,
    fleet,
    crowd: { kind: 'recorded', recording: 'kept in memory' },
    pageFolder: directory.path,
    directory: directory.path,
    ...QUIET_TRIAL,
    observer: { onPhase: (phase) => phase === 'measure' && given.during?.(fleet), onRecords() {} },
  });
  if (given.read !== undefined) {
    await using records = await openRecords([directory.path]);
    await given.read(records);
  }
  // Server, probes and crowd share this process’s thread, so whether that is on time is not what is tested.
  return { ...verdict, codes: codesButPace(verdict.reasons) };
}

async function figuresOf(records: RecordsDatabase) {
  const [figures] = await records.rows('SELECT * EXCLUDE (trial) FROM trial_figures');
  const samples = await records.rows<{ figure: string; samples: number }>(
    'SELECT figure, count(*)::INTEGER AS samples FROM samples GROUP BY ALL',
  );
  const crowdSigils = await records.rows<{ arrived: number }>(
    'SELECT arrived::INTEGER AS arrived FROM arrivals WHERE fromCrowd',
  );
  return {
    crowdSigils,
    figures: figures!,
    samples: Object.fromEntries(samples.map((each) => [each.figure, each.samples])),
  };
}

/** Which of the messages that it gets. */
const IGNORED = 40;

let crowd: RecordedUser[];
let relayedCrowd: RecordedUser[];
beforeAll(async () => {
  const who = { documentId: DOCUMENT, first: PROBES, users: USERS - PROBES };
  const typed = { actions: PROSE, periodMs: 150 };
  crowd = await recordByHand({ framework: yjs, ...who, ...typed });
  relayedCrowd = await recordByHand({ framework: honest, ...who, ...typed });
});

// The played users share this process's thread with all else, so how much each has got by a sample is chance, too.
const retry = { count: 2, condition: /crowd-unserved|crowd-served-late/ };

test.concurrent.each([
  ['the library’s own server', yjs],
  ['a relay', honest],
])(
  'a crowd that is played beside probes through %s leaves nothing to object to, and figures that are the probes’',
  { retry },
  async (_server, framework) => {
    let measured: Awaited<ReturnType<typeof figuresOf>>;
    const { codes, converged, notes } = await run(framework, {
      crowd: framework === yjs ? crowd : relayedCrowd,
      async read(records) {
        measured = await figuresOf(records);
      },
    });
    const { figures, samples, crowdSigils } = measured!;
    expect(codes).toEqual([]);
    expect(converged).toBe(true);
    expect(notes).toContainEqual({
      code: 'crowd',
      message: "4 of 6 users: a crowd, played from a recording; figures of users are the probes'",
    });
    // Two probes for 5 s at 20 keys a second.
    expect(figures.offered).toBe(200);
    // Each of the crowd's four shows on both probes' screens, unless a probe that was late to see it typed into it.
    expect(crowdSigils).toHaveLength(4);
    expect(crowdSigils).toContainEqual({ arrived: 2 });
    expect(samples.endToEndFromCrowdMs).toBe(crowdSigils.reduce((sum, { arrived }) => sum + arrived, 0));
    expect(samples.endToEndLatencyMs).toBe(samples.endToEndAmongProbesMs! + samples.endToEndFromCrowdMs!);
    expect(figures.crowdLateMs).toBeGreaterThan(0);
  },
);

/** Its server does not hear of one message of the crowd's, once. */
function dropsOne(frame: Frame): BrokenFramework {
  let isDropped = false;
  return yjsWith((socket) => {
    const emit = socket.emit.bind(socket);
    socket.emit = (event: string, ...given: unknown[]) => {
      const isTheOne = !isDropped && event === 'message' && isSame(given[0], frame);
      isDropped ||= isTheOne;
      return isTheOne || emit(event, ...given);
    };
  });
}

function isSame(message: unknown, frame: Frame): boolean {
  return Buffer.from(message as ArrayBuffer).equals(frame as Uint8Array);
}

/** Other tests had the cores, and users who share a thread were late, or did not answer in time. */
const late = { count: 2, condition: /machine-busy|no-answer|crowd-late|driver-saturated|driver-stalled/ };

test.concurrent('a frame of the crowd’s that the server drops is the framework’s failure', {
  retry: late,
}, async () => {
  // The last one: nothing that comes later rests on it, and so nothing waits for it.
  const { verdict, codes, reasons } = await run(dropsOne(crowd[0]!.frames.at(-1)!.frame), { crowd });
  expect(verdict, JSON.stringify(reasons)).toBe('failed');
  expect(codes).toContain('replay-differs');
});

test.concurrent('a frame of the crowd’s that one probe ignores is the framework’s failure', {
  retry: late,
}, async () => {
  let heard = 0;
  const ignores = brokenDocument((document, user) =>
    user === 1 ? { receive: (messages) => document.receive(messages.filter(() => ++heard !== IGNORED)) } : {},
  );
  const { verdict, codes } = await run(ignores, { crowd: relayedCrowd, settle: '10s' });
  expect(heard).toBeGreaterThan(IGNORED);
  expect(verdict).not.toBe('valid');
  expect(codes).toContain('diverged');
});

test.concurrent('a player that dies takes its trial to invalid, with a user of it named', async () => {
  const { verdict, reasons } = await run(yjs, { crowd, during: (fleet) => fleet.player.drop() });
  expect(verdict).toBe('invalid');
  expect(reasons).toContainEqual({ code: 'user-lost', message: expect.stringMatching(/^user [2-5] is lost/) });
});

test.concurrent('a server that cuts a user of the crowd off fails', { retry: late }, async () => {
  const frame = crowd[1]!.frames[8]!.frame;
  const cuts = yjsWith((socket) => {
    socket.on('message', (message) => isSame(message, frame) && socket.close(1008, 'enough'));
  });
  const { verdict, reasons } = await run(cuts, { crowd });
  expect(verdict, JSON.stringify(reasons)).toBe('failed');
  expect(reasons).toContainEqual({
    code: 'client-lost',
    message: 'user 3 is lost: the server closed its connection (1008: enough)',
  });
});
