import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { loadAnyExperiment, loadExperiment } from './experiment-file.ts';
import { experimentJsonSchema } from './experiment-options.ts';
import { estimateTrialMs, makePlan } from './plan.ts';
import { resolve } from './test-data/resolving.ts';

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

  test('the committed schema is current; if not: npm run schema', async () => {
    expect(JSON.parse(await readFile(join(READY_MADE, 'experiment.schema.json'), 'utf8'))).toEqual(schema);
  });

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
    const experiment = await loadExperiment({ path: join(READY_MADE, 'compare.yaml') });
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

  test('each ready-made file resolves, is called as its file, and points at the schema', async () => {
    const files = (await readdir(READY_MADE)).filter((name) => name.endsWith('.yaml') && name !== 'template.yaml');
    expect(files).toEqual(
      expect.arrayContaining(['demo.yaml', 'paper-noquill.yaml', 'paper-optquill.yaml', 'smoke.yaml']),
    );
    for (const file of files) {
      const path = join(READY_MADE, file);
      expect(await readFile(path, 'utf8')).toMatch(/^# yaml-language-server: \$schema=\.\/experiment\.schema\.json\n/);
      // With the frameworks that there really are: a ready-made file must run as it is.
      expect(`${(await loadAnyExperiment({ path })).experiment.name}.yaml`).toBe(file);
    }
  });
});
