import { Command } from 'commander';
import { expect, test } from 'vitest';
import { resolveExperiment } from './experiment-file.ts';
import { addExperimentOptions, overridesFrom } from './experiment-flags.ts';
import { experimentOptions, optionsTable } from './experiment-options.ts';

test('the table of options has a row for each, with what a list’s blocks hold below it', () => {
  const table = optionsTable();
  expect(table.map(([name]) => name)).toEqual(
    expect.arrayContaining(['`name`', '`durations.warmUp`', '`typing.formatOdds.inline`', '`fleet.fargate.spot`']),
  );
  expect(table.every((row) => row.length === 4 && row.every((cell) => cell !== ''))).toBe(true);
  const at = table.findIndex(([name]) => name === '`network.groups`');
  expect(table.slice(at, at + 3)).toEqual([
    [
      '`network.groups`',
      '`[]`',
      'a block of properties such as { name: near, share: 1, oneWayDelay: 30ms }; or a list',
      'Groups of users at different distances; each gets its share of the users.',
    ],
    ['`network.groups[].name`', 'required', 'a name for the group', 'For messages and the plan.'],
    [
      '`network.groups[].share`',
      'required',
      'a number above 0',
      'The group’s share of the users; all shares add up to 1.',
    ],
  ]);
  expect(table).toContainEqual([
    '`resources.user.cpus`',
    '`null`',
    'a number above 0, or null',
    'Cores that each user may use; null: the fleet’s default.',
  ]);
});

test('flags are unlike each other, and their examples are valid', () => {
  const flags = experimentOptions().flatMap(({ flag }) => flag ?? []);
  expect(flags.map(({ form }) => form)).toEqual(expect.arrayContaining(['--users <counts>', '--warm-up <time>']));
  expect(new Set(flags.map(({ form }) => form.split(' ')[0])).size).toBe(flags.length);
  const command = addExperimentOptions(new Command()).parse(
    // A crowd, and a fleet that has none, do not go together.
    [...flags.flatMap(({ form, example }) => [form.split(' ')[0]!, example]), '--probes', 'all'],
    { from: 'user' },
  );
  const frameworks = ['yjs', 'sharedb'].map((name) => ({ name, about: {} }));
  // Another version runs on the local fleet only, which the example of --fleet is not.
  const [base, others] = [true, false].map((isBase) =>
    overridesFrom(command.opts()).filter(({ flag }) => (flag === '--against') === isBase),
  );
  expect(resolveExperiment({}, { frameworks, overrides: base })).toMatchObject({ base: 'v1.0.0' });
  expect(resolveExperiment({}, { frameworks, overrides: others })).toMatchObject({
    users: [2, 4, 8],
    trace: 'automerge-paper',
    durations: { warmUpMs: 10_000 },
    fleet: { on: 'compose', region: 'us-east-1' },
  });
});
