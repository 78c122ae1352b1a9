import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { describeLimit, describeMax, filesOf, formatFound, type MaxUsersFound, writeFound } from './found.ts';

const YJS: MaxUsersFound = {
  framework: 'yjs',
  version: '13.6.33',
  tier: 'library',
  mode: 'optquill',
  largestHeld: 37,
  end: { users: 38, outcome: 'missed' },
  isOver: true,
  bounds: { fewest: 11, most: 256 },
  why: ['median local latency is 130 ms'],
  gaveOut: [
    { what: 'server CPU', used: 0.97, evidence: ['the server took 97.0 % of a core'] },
    { what: 'user CPU', used: 0.91, evidence: ['a user took 91.0 % of a core'] },
  ],
  trials: [
    {
      users: 38,
      trial: 1,
      outcome: 'missed',
      why: ['median local latency is 130 ms'],
      machineSpeed: { oneCore: 300, allCores: 550 },
    },
  ],
  directory: '/run',
};
const bounded = { ...YJS, end: null, why: [], gaveOut: [] };
const unknown = { users: 38, outcome: 'unknown' as const };

test.each<[string, Partial<MaxUsersFound>]>([
  ['37, not 38', {}],
  ['unfinished: 37 held, 38 did not so far', { isOver: false }],
  ['unfinished: 37 held so far', { ...bounded, isOver: false }],
  ['unfinished: 37 held, 38 not known so far', { end: unknown, isOver: false }],
  ['unfinished: 11 did not so far', { largestHeld: null, end: { users: 11, outcome: 'missed' }, isOver: false }],
  ['unfinished', { ...bounded, largestHeld: null, isOver: false }],
  ['at least 37', bounded],
  ['at least 37, not known from 38', { end: unknown }],
  ['fewer than 11', { largestHeld: null, end: { users: 11, outcome: 'missed' } }],
  ['not known', { largestHeld: null, end: unknown }],
  ['–', { ...bounded, largestHeld: null }],
])('%s', (text, given) => {
  expect(describeMax({ ...YJS, ...given })).toBe(text);
});

test('what gave out', () => {
  expect(describeLimit(YJS)).toBe('server CPU, then user CPU');
  expect(describeLimit({ ...YJS, gaveOut: [] })).toBe('nothing was used up');
  expect(describeLimit(bounded)).toBe('nothing up to 256 users');
  const afterwards = { ...bounded, largestHeld: 128, bounds: { fewest: 11, most: 96 } };
  expect(describeLimit(afterwards)).toBe('nothing up to 128 users');
});

test('for the terminal: a row each, then the evidence', () => {
  expect(formatFound([YJS, { ...bounded, framework: 'loro' }], { name: 'paper' })).toBe(
    `
framework  mode      most users   trials  gave out
yjs        optquill  37, not 38        1  server CPU, then user CPU
loro       optquill  at least 37       1  nothing up to 256 users

  yjs, 38 users: the server took 97.0 % of a core; a user took 91.0 % of a core; median local latency is 130 ms

criterion: fully functional, as the paper has it`.trim(),
  );
});

test('frameworks of which no trial has run have no speed to beware of', () => {
  const untried = { ...bounded, largestHeld: null, isOver: false, trials: [] };
  expect(formatFound([untried, { ...untried, framework: 'loro' }], { name: 'paper' })).not.toContain('Beware');
});

test('frameworks of different tiers stand in tables of their own', () => {
  const text = formatFound([YJS, { ...bounded, framework: 'sharedb', tier: 'deployed' }], { name: 'paper' });
  expect(text).toMatch(
    /^over the same relay\n\nframework .*\nyjs .*\n\nwith their own servers\n\nframework .*\nsharedb /,
  );
});

const folder = folderOfEachTest();

test('as files', async () => {
  await writeFound(folder.path, [YJS, { ...bounded, framework: 'a<b' }], { name: 'smooth' });
  const read = (name: string) => readFile(folder.in(name), 'utf8');
  const json = JSON.parse(await read('max.json'));
  expect(json).toMatchObject({ schemaVersion: 1, criterion: 'criterion: smooth' });
  expect(json.frameworks[0]).toMatchObject({
    framework: 'yjs',
    largestHeld: 37,
    end: { users: 38 },
    answer: '37, not 38',
  });
  expect(await read('max.csv')).toBe(
    'framework,version,tier,mode,answer,largestHeld,smallestMissed,unknownFrom,over,gaveOut\n' +
      'yjs,13.6.33,library,optquill,"37, not 38",37,38,,true,server CPU; user CPU\na<b,13.6.33,library,optquill,at least 37,37,,,true,\n',
  );
  expect(await read('max.md')).toContain('| yjs | optquill | 37, not 38 | 1 | server CPU, then user CPU |');
  const chart = await read('max.svg');
  expect(chart).toMatch(/^<\?xml .*\n<svg /);
  expect(chart).toContain('>a&lt;b</text>');
  expect(chart).toContain('>at least 37</text>');
});

test('charts of an earlier state go as soon as there is another tier', async () => {
  const written = async (found: MaxUsersFound[]) => {
    await writeFound(folder.path, found, { name: 'paper' });
    const files = (await readdir(folder.path)).filter((name) => name.startsWith('max'));
    expect(files.toSorted()).toEqual(filesOf(found).toSorted());
    return files.filter((name) => name.endsWith('.svg')).toSorted();
  };
  const own = { ...YJS, framework: 'sharedb', tier: 'deployed' as const };
  expect(await written([YJS])).toEqual(['max.svg']);
  expect(await written([YJS, own])).toEqual(['max-deployed.svg', 'max-library.svg']);
  expect(await written([YJS])).toEqual(['max.svg']);
});
