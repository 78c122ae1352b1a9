import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { watchPackages } from './packages.ts';

const folder = folderOfEachTest();

test('a process that lacks a package is told in a sentence if packages were replaced under the run, and else as it is', async () => {
  await folder.put('node_modules/.package-lock.json', '{}');
  const replaced = watchPackages(folder.in('node_modules'));
  const words = [
    "node:internal:331\n  throw\n    ^\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /p/x.ts\n    at f (x:1:2)",
    "Error: Cannot find module 'fast-diff'\nRequire stack:\n- /p/node_modules/quill-delta/dist/Delta.js",
    "Error: ENOENT: no such file or directory, open '/p/node_modules/lib0/logging.node.js'",
  ];
  expect(words.map(replaced)).toEqual([null, null, null]);
  await rm(folder.in('node_modules/.package-lock.json'));
  expect(words.map(replaced)).toEqual(
    Array(3).fill(expect.stringMatching(/^packages were replaced .*→ leave .*ended$/)),
  );
  await folder.put('node_modules/.package-lock.json', '{}');
  expect(replaced(words[0]!)).toContain("(Cannot find package 'zod')");
  expect(replaced('TypeError: x is not a function')).toBeNull();
});
