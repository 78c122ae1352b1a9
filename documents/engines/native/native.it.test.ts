import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RecordLine } from '../../../results/formats/records.ts';
import { isAlive } from '../../../results/run-folder/process-name.ts';
import { UserError } from '../../../results/user-error.ts';
import { folderOfAllTests } from '../../../tests/folders.ts';
import type { Patch } from '../../../traces/format.ts';
import { bytesOf } from '../../replay/edits.ts';
import { editsFrom } from '../../test-data/edits-from.ts';
import { toldIn } from '../../test-data/told-in.ts';
import type { Observed } from '../engine.ts';
import { buildNative, NATIVE_ENGINES, type NativeReplay, nativeProgram, nativeReplayCommand } from './native.ts';

const NEVER = new AbortController().signal;
const run = promisify(execFile);
const folder = folderOfAllTests();

/** It is built by hand or by a run: that takes minutes. */
const program = await nativeProgram();
describe.skipIf(!existsSync(program))('the program that was built', () => {
  /** Multi-character edits, replacements, deletes at both ends, and characters of two and three bytes. */
  const typed: Patch[] = [
    [0, 0, 'hello world'],
    [0, 5, 'Grüße,'],
    [12, 0, '!'],
    [6, 1, ''],
    [0, 1, 'g'],
    [11, 1, ''],
    [6, 0, ' — '],
    [9, 5, ''],
    ...Array.from({ length: 40 }, (_, index): Patch => [index % 7, index % 3 === 0 ? 1 : 0, 'ab'.slice(index % 2)]),
  ];

  for (const [engine, { observes }] of Object.entries(NATIVE_ENGINES)) {
    test.each(observes)(`${engine} makes edits, observed as %s`, async (observe) => {
      const lines = await replay(engine, observe, await editsFile(typed));
      expect(lines.filter(({ type }) => type === 'failure')).toEqual([]);
      const { applyMs, updatesKiB, remoteEdits, remoteBatchedEdits } = toldIn(lines).figures;
      expect(applyMs).toBeGreaterThan(0);
      expect(curveOf(lines)?.x).toEqual(observe === 'once' ? undefined : [typed.length]);
      if (observe !== 'updates') return;
      expect(updatesKiB).toBeGreaterThan(0);
      expect([remoteEdits, remoteBatchedEdits]).toEqual([typed.length, typed.length]);
    });

    test(`${engine} is told apart from what it should hold`, async () => {
      const lines = await replay(engine, 'edits', await editsFile(typed, { end: 'another text' }));
      expect(lines.at(-1)).toMatchObject({ type: 'failure', code: 'wrong-content' });
    });
  }

  test('of Yrs, both encodings are told; of others, one', async () => {
    const figures = async (engine: string) => toldIn(await replay(engine, 'edits', await editsFile(typed))).figures;
    const { savedKiB, savedV2KiB, savedWithoutHistoryKiB } = await figures('yrs');
    expect(savedV2KiB).toBeGreaterThan(0);
    expect(savedWithoutHistoryKiB).toBe(Math.min(savedKiB!, savedV2KiB!));
    expect(await figures('loro-rust')).not.toHaveProperty('savedV2KiB');
  });

  test('the first difference is named', async () => {
    const lines = await replay('jumprope', 'edits', await editsFile([[0, 0, 'one two']], { end: 'one too' }));
    const message = expect.stringContaining('first at character 5, expected "one too", saw "one two"');
    expect(lines.at(-1)).toMatchObject({ message });
  });

  test('a character of two UTF-16 units is held by engines that count those, and refused by others', async () => {
    const file = await editsFile([
      [0, 0, 'ab'],
      [1, 0, '😀x'],
      [4, 0, '😀'],
      [1, 2, ''],
    ]);
    for (const [engine, { observes }] of Object.entries(NATIVE_ENGINES)) {
      const lines = await replay(engine, observes[0]!, file);
      const failures = lines.filter(({ type }) => type === 'failure');
      if (!['diamond-types-rust', 'jumprope', 'ropey'].includes(engine)) expect(failures).toEqual([]);
      else {
        const message = expect.stringContaining("edit 1 types '😀' (U+1F600)");
        expect(failures).toMatchObject([{ code: 'character-not-held', message }]);
      }
    }
  });

  test('edits are made many times over, each time at the beginning', async () => {
    const edits: Patch[] = [
      [0, 0, 'abc'],
      [1, 1, 'Bb'],
    ];
    const lines = await replay('yrs', 'updates', await editsFile(edits, { repeat: 600 }));
    expect(lines.filter(({ type }) => type === 'failure')).toEqual([]);
    expect(curveOf(lines)?.x).toEqual([1000, 1200]);
    expect(toldIn(lines).figures).not.toHaveProperty('remoteEdits');
  });

  test('what an engine does not offer is said', async () => {
    const lines = await replay('ropey', 'updates', await editsFile(typed));
    expect(lines.at(-1)).toMatchObject({ type: 'failure', code: 'not-offered' });
    expect(toldIn(lines).figures).not.toHaveProperty('applyMs');
  });

  test('a time limit ends a replay', async () => {
    const file = await editsFile(typed);
    for (const observe of ['edits', 'once'] as const) {
      const lines = await replay('yrs', observe, file, { limitMs: 0 });
      const message = expect.stringContaining(`it had made 8 of ${typed.length} edits`);
      expect(lines.at(-1)).toMatchObject({ type: 'failure', code: 'out-of-time', message });
    }
  });

  test('a second replica that had no time for all updates holds what it got', async () => {
    const many = Array.from({ length: 20_000 }, (_, index): Patch => [index % 100, index % 3 === 2 ? 1 : 0, 'ab']);
    const lines = await replay('yrs', 'updates', await editsFile(many), { remoteMs: 1 });
    expect(lines.filter(({ type }) => type === 'failure')).toEqual([]);
    expect(toldIn(lines).figures.remoteEdits).toBeLessThan(many.length);
  });

  test('a document may be large: the curve stands for groups of 1,000 edits', async () => {
    const many = Array.from({ length: 2500 }, (_, index): Patch => [index, 0, 'a']);
    const lines = await replay('jumprope', 'edits', await editsFile(many));
    expect(curveOf(lines)?.x).toEqual([1000, 2000, 2500]);
  });

  test.each([
    ['no such engine', { engine: 'vim' }],
    ['no such way to observe', { observe: 'twice' as Observed }],
    ['no file', { edits: '/nowhere/edits' }],
    ['no number', { limitMs: 'soon' as unknown as number }],
  ])('%s: it ends with 1, and says why', async (_, wrong) => {
    const error = await replay('yrs', 'edits', await editsFile(typed), wrong).catch((error) => error);
    expect(error).toMatchObject({ code: 1, stdout: '' });
    expect(error.stderr).toContain(Object.values(wrong)[0]);
  });

  test('a file that is none of edits, or not whole, is refused', async () => {
    const file = await editsFile(typed);
    const whole = await readFile(file);
    for (const [bytes, words] of [
      [Buffer.from('no edits at all'), 'it holds no edits'],
      [whole.subarray(0, 100), 'it ends too early'],
    ] as const) {
      await writeFile(file, bytes);
      await expect(replay('yrs', 'edits', file)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining(words),
      });
    }
  });

  async function replay(
    engine: string,
    observe: Observed,
    edits: string,
    more: Partial<NativeReplay> = {},
  ): Promise<RecordLine[]> {
    const task = { engine, observe, edits, identities: [0.3, 0.7], limitMs: 10_000, remoteMs: 1000, ...more };
    const [file, ...args] = nativeReplayCommand(program, task);
    const { stdout } = await run(file!, args);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RecordLine);
  }
});

describe('building', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each<[string, Record<string, string>, RegExp]>([
    ['without cargo', {}, /cargo, which is not installed\. Leave .* or install Rust from https:\/\/rustup.rs/],
    ['if cargo complains', { cargo: 'echo "no space left" >&2; exit 101' }, /could not be built.*\nno space left/],
  ])('%s, it says so, and what to do', async (_, tools, words) => {
    vi.stubEnv('PATH', await toolsOf(tools));
    await expect(build()).rejects.toThrow(words);
  });

  test('it is built once', async () => {
    const made = folder.in('made');
    await writeFile(made, 'the program');
    const cargo = `echo '${JSON.stringify({ reason: 'compiler-artifact', executable: made })}'`;
    vi.stubEnv('PATH', await toolsOf({ cargo }));
    const cache = folder.in('cache');
    const path = await build({ cache });
    expect(path).toBe(await nativeProgram(cache));
    expect(await readFile(path, 'utf8')).toBe('the program');
    expect(await readdir(cache)).toEqual([dirname(path).split('/').at(-1)]);
    vi.stubEnv('PATH', await toolsOf({}));
    expect(await build({ cache })).toBe(path);
  });

  test('an abort ends cargo and its compilers', async () => {
    const started = folder.in('started');
    const cargo = `/bin/sleep 60 & echo $! > ${started}; wait`;
    vi.stubEnv('PATH', await toolsOf({ cargo }));
    const aborter = new AbortController();
    const building = expect(build({ signal: aborter.signal })).rejects.toThrow('enough');
    const compiler = await vi.waitUntil(
      async () => existsSync(started) && Number(await readFile(started, 'utf8')),
      30_000,
    );
    aborter.abort(new Error('enough'));
    await building;
    await expect.poll(() => isAlive(compiler as number)).toBe(false);
  });

  async function build(options: { signal?: AbortSignal; cache?: string } = {}): Promise<string> {
    const { signal = NEVER, cache = await mkdtemp(folder.in('cache-')) } = options;
    return await buildNative({ say: () => {}, signal, cache }).catch((error) => {
      if (error instanceof UserError) expect(error.exitCode).toBe(3);
      throw error;
    });
  }
});

/** A folder of shell scripts, for PATH. */
async function toolsOf(scripts: Record<string, string>): Promise<string> {
  const tools = await mkdtemp(folder.in('tools-'));
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(tools, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(tools, name), 0o755);
  }
  return tools;
}

const curveOf = (lines: readonly RecordLine[]) => lines.find((line) => line.type === 'curve');

let files = 0;

/** A file of edits, whose end is that of a plain string unless it is given. */
async function editsFile(
  edits: readonly Patch[],
  { end, repeat = 1 }: { end?: string; repeat?: number } = {},
): Promise<string> {
  const text = edits.reduce((so, [at, deleted, inserted]) => so.slice(0, at) + inserted + so.slice(at + deleted), '');
  const path = folder.in(`edits-${files++}`);
  await writeFile(
    path,
    bytesOf({
      ...editsFrom(edits),
      ...{ count: repeat * edits.length, repeat, endContent: end ?? text.repeat(repeat) },
    }),
  );
  return path;
}
