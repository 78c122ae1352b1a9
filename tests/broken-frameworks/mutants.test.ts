import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { MUTANTS } from './mutants.ts';

test.each(MUTANTS)('the code that the mutant changes is there once: $name', ({ file, from }) => {
  expect(readFileSync(join(PROJECT_ROOT, file), 'utf8').split(from)).toHaveLength(2);
});
