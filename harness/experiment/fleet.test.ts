import { expect, test } from 'vitest';
import { FLEET_NAMES, FLEETS } from '../../infra/fleets.ts';
import { resolveExperiment } from './experiment-file.ts';
import { experimentOptions } from './experiment-options.ts';

const resolve = (fleet: object) => resolveExperiment({ fleet }, { frameworks: [{ name: 'yjs', about: {} }] });

test('each option that a fleet declares is a property of the file, with its default', () => {
  const own = experimentOptions().filter(({ path }) => path.length === 3 && path[0] === 'fleet');
  expect(own.map((option) => [option.path.slice(1).join('.'), option.default])).toEqual(
    FLEET_NAMES.flatMap((name) =>
      Object.entries<{ default: unknown }>(FLEETS[name].options).map(([option, says]) => [
        `${name}.${option}`,
        says.default,
      ]),
    ),
  );
  expect(resolve({}).fleet.fargate).toEqual({ usersPerTask: 1, spot: true, reachedFrom: null });
});

test('a value that a fleet does not take is refused with what to write', () => {
  const fargate = { usersPerTask: 11, spot: 'yes', reachedFrom: 'here' };
  expect(() => resolve({ on: 'fargate', region: 'us-east-1', fargate })).toThrow(
    [
      'fleet.fargate.usersPerTask: 11 is not valid; write a whole number from 1 to 10 (a task holds no more containers)',
      '  fleet.fargate.spot: "yes" is not valid; write true or false',
      '  fleet.fargate.reachedFrom: "here" is not valid; write an IPv4 address, or null',
    ].join('\n'),
  );
});
