import { expect, test } from 'vitest';
import { type CpuProfile, parseProfile, profileShares } from './profile-shares.ts';

/** A call tree, children inside their callers, with the time that each function ran itself, µs. */
type Call = { name?: string; url?: string; us?: number; calls?: Call[] };

function profileOf(root: Call): CpuProfile {
  const profile: CpuProfile = { nodes: [], samples: [], timeDeltas: [] };
  const add = ({ name = '', url = '', us = 0, calls = [] }: Call): number => {
    const id = profile.nodes.length + 1;
    const node = {
      id,
      callFrame: { functionName: name, url, lineNumber: 0, columnNumber: 0 },
      children: [] as number[],
    };
    profile.nodes.push(node);
    // In two samples, as a profiler has many of one function.
    profile.samples.push(id, id);
    profile.timeDeltas.push(us / 2, us / 2);
    for (const call of calls) node.children.push(add(call));
    return id;
  };
  add(root);
  return profile;
}

const shares = (root: Call) => profileShares(profileOf(root), ({ url }) => url);

test('what the harness only passes on to the browser is work of whoever called', () => {
  const { percentOf } = shares({
    name: '(root)',
    calls: [
      {
        url: 'editors/yjs/client.ts',
        us: 100,
        calls: [{ url: 'editors/base/instrument/traffic.ts', us: 50, calls: [{ name: 'send', us: 800 }] }],
      },
      { url: 'editors/base/page/session.ts', us: 20, calls: [{ name: 'postMessage', us: 30 }] },
    ],
  })!;
  expect(percentOf).toMatchObject({ framework: 90, harness: 10 });
});

test('whose code ran, in percent of the profile', () => {
  const result = shares({
    name: '(root)',
    calls: [
      { name: '(idle)', us: 200 },
      { name: '(program)', us: 50 },
      { name: '(garbage collector)', us: 50 },
      {
        url: 'editors/base/page/session.ts',
        us: 100,
        calls: [
          {
            url: '/p/node_modules/yjs/src/utils/encoding.js',
            us: 250,
            calls: [{ url: '/p/node_modules/lib0/map.js', us: 50 }],
          },
          { url: 'wasm://wasm/0011', us: 100 },
          { url: 'editors/yjs/client.ts', us: 25 },
          { url: 'editors/base/binding/relayed.ts', us: 25 },
          { url: '/p/node_modules/quill/core/editor.js', us: 100, calls: [{ name: 'appendChild', us: 50 }] },
        ],
      },
    ],
  });
  expect(result).toEqual({ busyPercent: 80, percentOf: { framework: 45, editor: 15, browser: 10, harness: 10 } });
});

test('what editors and frameworks share counts for whoever calls it', () => {
  const shared = { url: '/p/node_modules/quill-delta/dist/Delta.js', us: 100 };
  const result = shares({
    name: '(root)',
    calls: [
      { url: '/p/node_modules/quill/core.js', calls: [shared] },
      { url: '/p/node_modules/sharedb/lib/client/doc.js', calls: [shared] },
      { url: 'editors/base/noquill/noquill.ts', us: 200 },
    ],
  });
  expect(result).toEqual({ busyPercent: 100, percentOf: { framework: 25, editor: 75, browser: 0, harness: 0 } });
});

test('a profile without time says nothing', () => {
  expect(shares({ name: '(root)' })).toBe(null);
});

test('what is no profile is refused', () => {
  expect(() => parseProfile('{}')).toThrow();
  expect(parseProfile('{"nodes":[]}')).toEqual({ nodes: [], samples: [], timeDeltas: [] });
});
