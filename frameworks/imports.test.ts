import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closureOf, reachedFrom } from './imports.ts';

test('of all forms of imports those are followed that run', async () => {
  const root = await mkdtemp(join(tmpdir(), 'imports-'));
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
  try {
    await writeFile(join(root, 'first.ts'), first.replaceAll('\\', ''));
    for (const name of ['double', 'lines', 'later']) await writeFile(join(root, `${name}.ts`), `import 'node:fs';`);
    const { files, packages } = await reachedFrom(['first.ts'], root);
    expect([...files.keys()].sort()).toEqual(['double.ts', 'first.ts', 'later.ts', 'lines.ts']);
    expect([...packages]).toEqual(['@scope/package']);
  } finally {
    await rm(root, { recursive: true });
  }
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
