/** Oddities of YAML; experiment-file.test.ts has the rest of what a file may get wrong. */
import { expect, test } from 'vitest';
import { load } from './test-data/resolving.ts';

test.each([
  ['? [a]\n: 2\n', '1:3 a list or a block stands here as a name; write one word'],
  ['a: &a { users: 2 }\n<<: *a\n', '2:1 YAML 1.2 has no merges (<<); write the properties out'],
  ['name: !!python/object x\n', '1:7 a tag (!) stands here that is not known; leave it out'],
  ['%YAML 9.9\n---\nusers: 2\n', '1:7 Unsupported YAML version 9.9; take that line out'],
  ['frameworks: { yjs: 1 }\n', '1:13 frameworks: {"yjs":1} is not valid; write the name of a framework'],
  ['network: { groups: { nme: 1 } }\n', '1:22 network.groups[0].nme: there is no such property; did you mean "name"?'],
  [
    'engines: yjs\n',
    '1:1 engines: there is no such property; the scenario replay or state has "engines"; valid here: name',
  ],
])('%j is not left out, and stands in its place', async (text, message) => {
  await expect(load(text)).rejects.toThrow(message);
});

test('YAML 1.1 has merges', async () => {
  expect(await load('%YAML 1.1\n---\ndurations: { <<: { warmUp: 1s } }\n')).toMatchObject({
    durations: { warmUpMs: 1000 },
  });
});
