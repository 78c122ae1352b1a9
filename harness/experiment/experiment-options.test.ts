import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { loadExperiment, resolveExperiment } from './experiment-file.ts';
import {
  addExperimentOptions,
  experimentJsonSchema,
  experimentOptions,
  optionsTable,
  overridesFrom,
} from './experiment-options.ts';
import { estimateTrialMs, makePlan } from './plan.ts';
import { resolve } from './test-data/resolving.ts';

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

const NOBODY_ELSE: Record<string, string> = { '--probes': 'all', '--agents': 'none', '--readers': '0' };

test('flags are unlike each other, and their examples are valid', () => {
  const flags = experimentOptions().flatMap(({ flag }) => flag ?? []);
  expect(flags.map(({ form }) => form)).toEqual(expect.arrayContaining(['--users <counts>', '--warm-up <time>']));
  expect(new Set(flags.map(({ form }) => form.split(' ')[0])).size).toBe(flags.length);
  const command = addExperimentOptions(new Command()).parse(
    // A crowd or company, and a fleet that has none, do not go together.
    flags.flatMap(({ form, example }) => {
      const [flag] = form.split(/,? /) as [string];
      return [flag, NOBODY_ELSE[flag] ?? example];
    }),
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

const READY_MADE = join(import.meta.dirname, '../experiments');

interface SchemaNode {
  else?: SchemaNode;
  description?: string;
  default?: unknown;
  properties?: Record<string, SchemaNode>;
}

/** Every property of a schema, as `durations.warmUp`. */
function flatten(node: SchemaNode, prefix = ''): [string, SchemaNode][] {
  return Object.entries(node.properties ?? {}).flatMap(([key, inner]) => [
    [`${prefix}${key}`, inner] as [string, SchemaNode],
    ...flatten(inner, `${prefix}${key}.`),
  ]);
}

/** The schema of files in which people type: the rest, if no document scenario is meant. */
function typingOf(node: SchemaNode): SchemaNode {
  return node.else === undefined ? node : typingOf(node.else);
}

/** The file that a schema's defaults spell out. */
function defaults(node: SchemaNode): unknown {
  if (!node.properties) return node.default;
  return Object.fromEntries(Object.entries(node.properties).map(([key, inner]) => [key, defaults(inner)]));
}

describe('the JSON Schema and the ready-made files', () => {
  const schema = experimentJsonSchema() as SchemaNode;
  const typing = typingOf(schema);

  test.each(flatten(typing))('%s has a description and a default', (_, property) => {
    expect(property.description).toMatch(/\.$/);
    expect(property.default).toBeDefined();
  });

  test('the template holds every property with its default', async () => {
    const text = await readFile(join(READY_MADE, 'template.yaml'), 'utf8');
    expect(parse(text)).toEqual(defaults(typing));
    expect(resolve(parse(text))).toEqual(resolve({}));
  });

  test('the comparison has every framework that several may type in with what npm brings, in at most three hours and forty minutes', async () => {
    const { experiment } = await loadExperiment({ path: join(READY_MADE, 'compare.yaml') });
    const frameworks = await discoverFrameworks();
    const able = frameworks.filter(
      ({ about: { oneWriter, needsInternet, needs, onDemand } }) =>
        !oneWriter && !needsInternet && needs === undefined && onDemand === undefined,
    );
    expect(experiment.frameworks.toSorted()).toEqual(able.map(({ name }) => name).toSorted());
    const ms = makePlan(experiment).reduce((sum, trial) => sum + estimateTrialMs(experiment, trial), 0);
    expect(ms).toBeLessThanOrEqual((3 + 2 / 3) * 3_600_000);
    // A 95th percentile of 4 users takes 59 sigils.
    expect((4 * experiment.durations.measureMs) / experiment.typing.sigilPeriodMs).toBeGreaterThanOrEqual(59);
  });
});
