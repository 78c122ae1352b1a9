import { chmod, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lastingProcessName } from '../../results/run-folder/process-name.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { buildArguments, docker, findEngine, removeOrphans, removeRun } from './docker.ts';

/** Programs that stand in for Docker's are found before them, and write down how they were called. */
const folder = folderOfEachTest();
const never = new AbortController().signal;
beforeEach(() => void vi.stubEnv('PATH', `${folder.path}:/bin:/usr/bin`));
afterEach(() => void vi.unstubAllEnvs());

async function program(name: string, script: string) {
  await folder.put(name, `#!/bin/sh\necho "${name} $*" >>'${folder.in('calls')}'\n${script}\n`);
  await chmod(folder.in(name), 0o755);
}
const calls = async () => (await readFile(folder.in('calls'), 'utf8')).trim().split('\n');

const INFO = `[ "$1" = info ] && echo '4 8589934592' && exit 0`;

describe('the engine', () => {
  test('without docker there is a sentence that says what to do', async () => {
    vi.stubEnv('PATH', folder.path);
    await expect(findEngine(never)).rejects.toMatchObject({
      exitCode: 3,
      message:
        'there is no docker on this machine; install Docker Engine or Docker Desktop, or run without containers, --on local',
    });
  });

  test('an engine that does not answer is told apart from that, with its own words', async () => {
    await program('docker', `echo 'Cannot connect to the Docker daemon at unix:///x' >&2; exit 1`);
    await expect(findEngine(never)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/engine cannot be reached \(Cannot connect to the Docker daemon at .*start it/),
    });
  });

  test('Compose v2 is preferred, v1.29 will do, and that neither is there is told', async () => {
    await program('docker', `${INFO}; exit 0`);
    await program('docker-compose', 'exit 0');
    expect(await findEngine(never)).toEqual({ compose: ['docker', 'compose'], cores: 4, memoryMiB: 8192 });
    await program('docker', `${INFO}; echo 'unknown command: docker compose' >&2; exit 1`);
    expect((await findEngine(never)).compose).toEqual(['docker-compose']);
    await program('docker-compose', 'exit 127');
    await expect(findEngine(never)).rejects.toThrow('there is neither "docker compose" nor "docker-compose"');
  });
});

test('what docker refuses is told by its last word, and without a stack', async () => {
  await program(
    'docker',
    'echo Sending; echo "Error response from daemon: a prune operation is already running" >&2; exit 1',
  );
  await expect(docker(['image', 'prune', '--force'])).rejects.toMatchObject({
    exitCode: 3,
    message: 'docker image prune failed: Error response from daemon: a prune operation is already running',
  });
});

describe('clearing up', () => {
  test('removes every kind of thing that carries the run’s label, and the image’s name for it', async () => {
    await program(
      'docker',
      `case "$1 $2" in "ps "*) printf 'c1\\nc2\\n';; "network ls") echo n1;; "image ls") echo scriptorium:run-abc;; esac`,
    );
    await removeRun('abc');
    expect(await calls()).toEqual([
      'docker ps --all --quiet --filter label=scriptorium.run=abc',
      'docker rm --force --volumes c1 c2',
      'docker network ls --quiet --filter label=scriptorium.run=abc',
      'docker network rm n1',
      'docker volume ls --quiet --filter label=scriptorium.run=abc',
      'docker image ls --format {{.Repository}}:{{.Tag}} --filter reference=scriptorium:run-abc',
      'docker image rm --no-prune scriptorium:run-abc',
    ]);
  });

  test('what cannot be removed is told, with the command that does it', async () => {
    await program('docker', `[ "$1" = ps ] && echo c1; [ "$1" = rm ] && echo 'device busy' >&2 && exit 1; exit 0`);
    await expect(removeRun('abc')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(
        /could not be removed \(device busy\).*docker rm --force --volumes" with what it shows/,
      ),
    });
  });

  test('what another run removed meanwhile is removed', async () => {
    const gone = `[ "$1" = ps ] && [ ! -e '${folder.in('gone')}' ] && echo c1`;
    await program(
      'docker',
      `${gone}; [ "$1" = rm ] && touch '${folder.in('gone')}' && echo 'no such container' >&2 && exit 1; exit 0`,
    );
    await removeRun('abc');
    expect((await calls()).filter((call) => call.startsWith('docker ps '))).toHaveLength(2);
  });

  test('removes what a killed process left, not what belongs to a living one or to another host', async () => {
    // No process has the number 99999999: Linux's largest is 4,194,304.
    const owners = [
      `dead ${lastingProcessName(99999999)}`,
      `mine ${lastingProcessName()}`,
      'far 99999999-0-000000',
      'by-worker ',
    ];
    await program(
      'docker',
      `case "$*" in *"ps --all --filter label=scriptorium.owner"*) printf '%s\\n' '${owners.join("' '")}';; esac`,
    );
    await removeOrphans();
    const removed = (await calls()).filter((call) => call.includes('label=scriptorium.run='));
    expect(removed).toHaveLength(3);
    for (const call of removed) expect(call).toContain('label=scriptorium.run=dead');
  });
});

test('a layer is built from its folder, by the project’s Dockerfile, onto the image, whose name it takes', () => {
  const layer = { folder: '/tmp/layer', arguments: { FRAMEWORKS: 'one two' }, digest: '0011' };
  expect(buildArguments(layer, 'image:run')).toEqual([
    'build',
    ...['--file', `${import.meta.dirname}/layer.Dockerfile`],
    ...['--build-arg', 'FRAMEWORKS=one two'],
    ...['--build-arg', 'BASE=image:run'],
    ...['--build-arg', 'DIGEST=0011'],
    ...['--tag', 'image:run'],
    '/tmp/layer',
  ]);
});
