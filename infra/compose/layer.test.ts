import { expect, test } from 'vitest';
import { buildArguments } from './layer.ts';

test('a layer is built from its folder, by the project’s Dockerfile, onto the image that is said', () => {
  const layer = { folder: '/tmp/layer', arguments: { FRAMEWORKS: 'one two' }, digest: '0011' };
  expect(buildArguments(layer, { root: '/project', base: 'image:base', tag: 'image:run' })).toEqual([
    'build',
    ...['--file', '/project/infra/compose/layer.Dockerfile'],
    ...['--build-arg', 'FRAMEWORKS=one two'],
    ...['--build-arg', 'BASE=image:base'],
    ...['--build-arg', 'DIGEST=0011'],
    ...['--tag', 'image:run'],
    '/tmp/layer',
  ]);
});
