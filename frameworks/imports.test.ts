import { expect, test } from 'vitest';
import { temporaryFolder } from '../tests/folders.ts';
import { closureOf, reachedFrom } from './imports.ts';

test('of all forms of imports those are followed that run', async () => {
  await using root = await temporaryFolder();
  const first = `
    import type { A } from './type.ts';
    import { type B, b } from "./double.ts";
    import {
      // a comment with import './comment.ts'
      several,
    } from './lines.ts';
    export * from '@scope/package/part.js';
    const text = \`
import './text.ts';\`;
    const later = () => import('./later.ts');
    const unknown = (name: string) => import(\`./\${name}.ts\`);`;
  await root.put('first.ts', first.replaceAll('\\', ''));
  for (const name of ['double', 'lines', 'later']) await root.put(`${name}.ts`, `import 'node:fs';`);
  const { files, packages } = await reachedFrom(['first.ts'], root.path);
  expect([...files.keys()].sort()).toEqual(['double.ts', 'first.ts', 'later.ts', 'lines.ts']);
  expect([...packages]).toEqual(['@scope/package']);
});

test('what packages depend on comes with the versions of the lock, peers where they are asked for', () => {
  const packages = {
    'node_modules/a': { version: '1.0.0', dependencies: { b: '*' }, peerDependencies: { c: '*' } },
    'node_modules/b': { version: '2.0.0' },
    'node_modules/c': { version: '3.0.0' },
  };
  expect([...closureOf(['a'], { packages })]).toEqual([
    ['a', '1.0.0'],
    ['b', '2.0.0'],
  ]);
  expect([...closureOf(['a'], { packages }, { peers: true }).keys()]).toEqual(['a', 'b', 'c']);
});
