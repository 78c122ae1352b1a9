/** Whole trials with every fault that can be asked for: real servers that are killed, and real lines that fail. */
import { test } from 'vitest';
import { temporaryFolder } from '../../../tests/folders.ts';
import { recordLines, runFile } from '../../../tests/runs.ts';

test.concurrent.for(['yjs', 'yjs-relay'])(
  'users of %s come back from every fault, and hold one document in the end',
  async (framework, { expect }) => {
    await using directory = await temporaryFolder();
    const file = {
      frameworks: framework,
      users: 4,
      durations: { warmUp: '0s', measure: '8s', profile: '0s', settle: '15s' },
      typing: { sigilPeriod: '2s' },
      network: {
        groups: [
          { name: 'near', share: 0.5, oneWayDelay: '0ms' },
          { name: 'far', share: 0.5, oneWayDelay: '5ms' },
        ],
      },
      faults: [
        { at: '200ms', network: 'cut', group: 'far', for: '500ms' },
        { at: '200ms', users: 1, go: 'offline', for: '600ms' },
        { at: '1s', network: 'slow', for: '500ms', oneWayDelay: '100ms' },
        // Long after the others: who comes back from one fault must be there when the next comes.
        { at: '2200ms', server: 'restart', downFor: '700ms' },
      ],
    };
    await runFile(file, directory.path);
    const linesOf = (name: string) => recordLines(directory.in(`trials/${framework}-node-4-1`), name);
    const coordinators = await linesOf('coordinator');
    const phases = coordinators.filter((line) => line.type === 'phase');
    const startMs = phases.find(({ phase }) => phase === 'warm-up')!.atMs;
    const asked = coordinators.filter((line) => line.type === 'asked-fault');
    expect(asked.map(({ fault, kind, users }) => ({ fault, kind, users }))).toEqual([
      { fault: 0, kind: 'network-cut', users: [1, 3] },
      { fault: 1, kind: 'offline', users: [0] },
      { fault: 2, kind: 'network-slow', users: [0, 1, 2, 3] },
      { fault: 3, kind: 'server-restart', users: [] },
    ]);
    const restart = asked.at(-1)!;
    expect(restart.beganMs - startMs).toBeGreaterThan(2190);
    // Its end stands from the beginning, however late it began.
    expect(restart.endedMs! - startMs).toBeGreaterThan(2890);
    expect(coordinators.filter((line) => line.type === 'convergence').map(({ proof }) => proof)).toEqual(['reached']);
    // The first is offline and then without a server; the second's line is cut, which nobody is told.
    const statesOf = async (user: string) =>
      (await linesOf(user)).flatMap((line) => (line.type === 'connection' ? [line.state] : []));
    expect(await statesOf('user-000')).toEqual(['lost', 'back', 'lost', 'back']);
    expect(await statesOf('user-001')).toEqual(['lost', 'back']);
  },
);
