/** Rules for every fleet in the registry, and each fleet's lines about an experiment. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { FLEET_NAMES } from '../../infra/fleets.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { loadFleet, type Machine } from './fleet-kind.ts';

const frameworks = [{ name: 'yjs', about: {} }];
const spacious = { cores: 64, availableMemoryMiB: 256 * 1024 };

async function linesOn(
  fleet: object,
  { machine = spacious, ...more }: { machine?: Machine; [property: string]: unknown } = {},
) {
  const modes = ['optquill', 'noquill'];
  const experiment = resolveExperiment({ users: [2, 16], modes, fleet, ...more }, { frameworks });
  const { planLines } = await loadFleet(experiment.fleet.on);
  return planLines(experiment, machine);
}

test('every fleet in the registry can be opened', async () => {
  for (const name of FLEET_NAMES) expect((await loadFleet(name)).open, name).toBeTypeOf('function');
});

describe('the plan tells of a fleet', () => {
  test('what users take on this machine, and where that is more than it has', async () => {
    // 16 × 100 MiB = 1.6 GiB, 16 × 60 = 0.9.
    expect(await linesOn({})).toEqual([
      'this machine: 64 cores, 256.0 GiB of memory available',
      'optquill with 16 users: about 1.6 GiB of memory',
      'noquill with 16 users: about 0.9 GiB of memory',
    ]);
    // 16 users: 1600 MiB of optquill are too many, 960 MiB of noquill are not.
    const small = await linesOn({}, { machine: { cores: 2, availableMemoryMiB: 1_000 } });
    expect(small.filter((line) => line.includes('warning'))).toEqual([
      expect.stringContaining('more than is available'),
    ]);
  });

  test('memory of a crowd, too: a run is refused by it', async () => {
    const machine = { cores: 2, availableMemoryMiB: 8 * 1024 };
    // 2 × 60 MiB, and 998 × 12.
    expect((await linesOn({}, { users: [16, 1000], probes: 2, machine })).slice(-2)).toEqual([
      'noquill with 1000 users, 2 of them live: about 11.8 GiB of memory',
      expect.stringContaining('more than is available'),
    ]);
  });

  test('the limits of containers, added up', async () => {
    const machine = { cores: 8, availableMemoryMiB: 24 * 1024 };
    // 16 × 1 core and 2 GiB, and 16 × 0.5 cores and 1 GiB; the server has no limit.
    expect(await linesOn({ on: 'compose' }, { machine })).toEqual([
      'this machine: 8 cores, 24.0 GiB of memory available',
      'optquill with 16 users: 17 containers, limits of 16 cores and 32.0 GiB of memory in all',
      '  warning: that is more memory than is available; where they use it, some will be killed',
      '  warning: that is more cores than there are; where they use them, it is the machine that is measured',
      'noquill with 16 users: 17 containers, limits of 8 cores and 16.0 GiB of memory in all',
    ]);
    const resources = { server: { cpus: 1, memoryMiB: 512 }, user: { cpus: 0.1, memoryMiB: 256 } };
    // 1 + 16 × 0.1 cores, and 0.5 + 16 × 0.25 GiB.
    expect(await linesOn({ on: 'compose' }, { machine, resources })).toContain(
      'optquill with 16 users: 17 containers, limits of 2.6 cores and 4.5 GiB of memory in all',
    );
  });

  test('containers of the largest company, wherever that stands', async () => {
    const linesWith = (agents: string[]) => linesOn({ on: 'compose' }, { agents });
    const lines = await linesWith(['none', '3-stream']);
    expect(await linesWith(['3-stream', 'none'])).toEqual(lines);
    expect(lines).not.toEqual(await linesWith(['none']));
  });

  test('nothing of this machine where it is others that carry it', async () => {
    expect(await linesOn({ on: 'workers' })).toEqual([]);
    expect(await linesOn({ on: 'fargate', region: 'us-east-1' })).toEqual([expect.stringContaining('fargate plan')]);
  });
});

/** Makes a process of Node fail if it loads a module of AWS's. */
const WITHOUT_AWS = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(specifier, context, next) {
    if (specifier.startsWith('@aws-sdk')) throw new Error('loaded ' + specifier);
    return next(specifier, context);
  } });
`)}`;

const folder = folderOfEachTest();

test('whoever only plans waits for none of AWS’s modules, not even a run on it', async () => {
  const file = folder.in('experiment.yaml');
  await folder.put('experiment.yaml', 'fleet: { on: fargate, region: us-east-1 }\n');
  const cli = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['--import', WITHOUT_AWS, 'cli/main.ts', ...args], { cwd: PROJECT_ROOT });
  expect((await cli('plan', file)).stdout).toContain('./scriptorium fargate plan');
  expect((await cli('fargate', 'plan', file)).stdout).toContain('cost: about');
  // The hook does what it is here for.
  await expect(cli('fargate', 'status')).rejects.toThrow('loaded @aws-sdk');
});
