/** The language of comments: a line begins with its noun, not with a clause that only its end explains. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../infra/project.ts';

/** Comment lines that may still begin so. The number only falls: lower it with the lines, in the end to 0. */
const BOUND = 0;
const SHOWN = 10;

const ROOMS =
  '{results,traces,infra,editors,servers,frameworks,analysis,harness,documents,capabilities,cli,tools,tests}';
/** Such as `/** Whether …`, `-- What …`, `@returns whether …`, `@param name who …`. */
const RIDDLE =
  /^\s*(?:\/\*\*|\/\/[/!]?|\*|--)\s+(?:@(?:returns|param\s+[\w.]+)\s+)?(?:what|who|whose|whom|whether)(?:ever)?\b/i;

function riddles(): string[] {
  const files = globSync(`${ROOMS}/**/*.{ts,sql,rs,css}`, { cwd: PROJECT_ROOT }).filter(
    (path) => !/(^|\/)(node_modules|target)\/|^results\/measured\//.test(path),
  );
  return files.toSorted().flatMap((path) =>
    readFileSync(join(PROJECT_ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (RIDDLE.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

test('comment lines begin with a noun, not with what, who, whose or whether', () => {
  const found = riddles();
  const list = [`${found.length} lines, at most ${BOUND} may:`, ...found.slice(0, SHOWN)].join('\n  ');
  expect(found.length, list).toBeLessThanOrEqual(BOUND);
});

test.each([
  ['/** Whether it runs. */', true],
  ['   * whatever the mode', true],
  ['-- Whose clock it is', true],
  ['  // Who types', true],
  [' * @param keep what stays', true],
  [' * @returns whether it runs', true],
  ['/** True if it runs. */', false],
  ['/** A user who types. */', false],
  ["const text = 'what';", false],
])('%s', (line, isRiddle) => expect(RIDDLE.test(line)).toBe(isRiddle));
