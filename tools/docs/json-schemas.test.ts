import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { JSON_SCHEMAS } from './json-schemas.ts';

test.each(Object.keys(JSON_SCHEMAS))('%s is current; if not: npm run schema', async (path) => {
  expect(JSON.parse(await readFile(join(PROJECT_ROOT, path), 'utf8'))).toEqual(JSON_SCHEMAS[path]!());
});

test('the schema of a summary describes its figures', () => {
  const text = JSON.stringify(JSON_SCHEMAS['harness/experiments/summary.schema.json']!());
  expect(text).toContain('end-to-end latency, median, ms: ');
  expect(text).toContain('server CPU, % of a core: ');
});
