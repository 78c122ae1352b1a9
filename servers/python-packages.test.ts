/** With a Python that only pretends: installations, and errors if they fail. */
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folderOfEachTest } from '../tests/folders.ts';
import { describePython, findPython, hasPackages, readyPackages } from './python-packages.ts';

const folder = folderOfEachTest();
let root: string;
let path: string | undefined;
let said: string[];
beforeEach(async () => {
  root = folder.path;
  await folder.put('servers/mine/requirements.txt', 'a==1\n');
  path = process.env.PATH;
  process.env.PATH = `${root}:${path}`;
  said = [];
});
afterEach(() => {
  process.env.PATH = path;
});

/** @param options sh: `asked` runs if the program is asked for its version, `pip` if it is to install */
async function pretend({ asked = 'echo 3.12.1', pip = ':' } = {}): Promise<void> {
  const script = `#!/bin/sh
case "$*" in
  *ensurepip*) ${asked} ;;
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python3" ;;
  *"pip install"*) echo "$@" >>${root}/installs; ${pip} ;;
  *python-packages.py) echo "{\\"python\\": \\"3.12.1\\", \\"packages\\": {\\"a\\": \\"1\\"}, \\"altered\\": [$(cat "$(dirname "$0")/../altered" 2>/dev/null)]}" ;;
esac
`;
  await writeFile(join(root, 'python3'), script);
  await chmod(join(root, 'python3'), 0o755);
}

const ready = () => readyPackages({ framework: 'mine', least: '3.10', root, say: (text) => said.push(text) });
const installs = async () => (await readFile(join(root, 'installs'), 'utf8')).trim().split('\n').length;
const kept = () => readdir(join(root, '.scriptorium/python'));

test('they are installed once, whole, and by their digests', async () => {
  await pretend();
  expect(await hasPackages('mine', root)).toBe(false);
  await ready();
  await ready();
  expect(said).toEqual(['Installing the Python packages of mine into .scriptorium/python (once)']);
  expect(await installs()).toBe(1);
  expect(await readFile(join(root, 'installs'), 'utf8')).toContain('--require-hashes');
  expect(await hasPackages('mine', root)).toBe(true);
  expect(await describePython('mine', root)).toEqual({ python: '3.12.1', packages: { a: '1' } });
  expect(await kept()).toEqual([expect.stringMatching(/^mine-[0-9a-f]{16}$/)]);
});

test('other packages have another place', async () => {
  await pretend();
  await ready();
  await writeFile(join(root, 'servers/mine/requirements.txt'), 'a==2\n');
  expect(await hasPackages('mine', root)).toBe(false);
});

test('what was altered is noticed, and installed anew', async () => {
  await pretend();
  await ready();
  const [folder] = await kept();
  await writeFile(join(root, '.scriptorium/python', folder!, 'altered'), '"a/__init__.py"');
  expect(await hasPackages('mine', root)).toBe(false);
  await ready();
  expect(said[1]).toContain('not as they were installed');
  expect(await installs()).toBe(2);
  expect(await hasPackages('mine', root)).toBe(true);
});

test('what another process installed meanwhile stays', async () => {
  // The first that asks for the version hears it late.
  await pretend({
    asked: `mkdir ${root}/asked 2>/dev/null && until [ -e ${root}/go ]; do sleep 0.02; done; echo 3.12.1`,
  });
  const late = ready();
  await vi.waitUntil(() => existsSync(join(root, 'asked')));
  await ready();
  await writeFile(join(root, 'go'), '');
  await late;
  expect(await installs()).toBe(1);
  expect(said.join()).not.toContain('not as they were installed');
});

test('where they cannot be installed, nothing is left, and a sentence says what to do', async () => {
  await pretend({ pip: 'echo "ERROR: No matching distribution found for a==1" >&2; exit 1' });
  await expect(ready()).rejects.toMatchObject({
    message:
      'the Python packages of mine could not be installed (ERROR: No matching distribution found for a==1); make sure that pip reaches PyPI, and try again, or leave mine out',
    exitCode: 3,
  });
  expect(await kept()).toEqual([]);
});

test.each([
  ['is too old', 'echo 3.9.2', 'mine needs Python 3.10 or newer: the python3 of this machine is 3.9.2'],
  [
    'makes no environments',
    'echo "No module named ensurepip" >&2; exit 1',
    /cannot make environments \(No module named ensurepip\); install it/,
  ],
])('a Python that %s is said to be so', async (_, asked, message) => {
  await pretend({ asked });
  await expect(ready()).rejects.toThrow(message);
});

test('where there is none, that is said', async () => {
  process.env.PATH = root;
  expect(await findPython('3.10')).toEqual({ problem: expect.stringMatching(/^there is no python3 .*; install it/) });
});

test.each([
  ['3.10', true],
  ['3.12', true],
  ['3.13', false],
  ['4.0', false],
])('3.12.1 will do for %s: %s', async (least, will) => {
  await pretend();
  expect('version' in (await findPython(least))).toBe(will);
});
