import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../infra/project.ts';
import { CAPABILITIES, LIBRARIES } from './capabilities.ts';
import { capabilitiesMarkdown, formatCapabilities, paperMarksMarkdown } from './capabilities-table.ts';
import { type Outcomes, readOutcomes } from './outcomes.ts';
import { asPaperMark, PAPER_LIBRARIES, PAPER_ROWS } from './paper-marks.ts';
import type { Outcome } from './programs/outcome.ts';

/** All ✓ but what is given, by `library capability`. */
function outcomesWith(given: Record<string, Outcome>): Outcomes {
  return Object.fromEntries(
    LIBRARIES.map(({ name }) => [
      name,
      {
        version: '1.0.0',
        outcomes: Object.fromEntries(
          CAPABILITIES.map(({ id }) => [id, given[`${name} ${id}`] ?? { mark: 'yes' as const }]),
        ),
      },
    ]),
  );
}

test('in a terminal, every sign but ✓ is explained, and a program that failed is no mark', () => {
  const [capability] = CAPABILITIES;
  const [yjs, automerge, loro] = LIBRARIES;
  const text = formatCapabilities([
    { capability: capability!, library: yjs!, outcome: { mark: 'yes' } },
    { capability: capability!, library: automerge!, outcome: { mark: 'partly', why: 'only half' } },
    { capability: capability!, library: loro!, outcome: { failed: 'it threw' } },
  ]);
  expect(text).toMatch(/works offline and merges +✓ +½ +failed\n/);
  expect(text).toContain('½ automerge, works offline and merges: only half');
  expect(text).toContain('failed loro, works offline and merges: it threw');
});

test('in the document, each cell leads to its program and equal reasons have one number', () => {
  const why = 'nobody knows';
  const markdown = capabilitiesMarkdown(
    outcomesWith({ 'yjs undo': { mark: 'no', why }, 'loro undo': { mark: 'not offered', why } }),
  );
  expect(markdown).toContain(
    '[✗](../../capabilities/programs/yjs.ts) <sup>1</sup> | [✓](../../capabilities/programs/not-offered.ts) | [not offered](../../capabilities/programs/loro.ts) <sup>1</sup>',
  );
  expect(markdown.endsWith('\n\n1. Nobody knows.')).toBe(true);
  expect(markdown).toContain('| Yjs 1.0.0 |');
});

test('several programs of a row of the paper make one mark', () => {
  const of = (...marks: Outcome['mark'][]) => asPaperMark(marks.map((mark) => ({ mark })));
  expect(of('yes', 'yes')).toBe('✓');
  expect(of('no', 'not offered')).toBe('✗');
  expect(of('yes', 'no')).toBe('½');
  expect(of('partly')).toBe('½');
});

test('the paper’s marks stand beside what was seen; those of frameworks that are not here stand alone', () => {
  const kept = outcomesWith({ 'yjs list-move': { mark: 'not offered', why: 'none' } });
  expect(paperMarksMarkdown(kept)).toContain('| list with move | ✓ → ✓ | ½ → ✗ | ½ → ✓ | ✗ → ✓ | ✗ → ✓ | ✗ | ✗ |');
  expect(differencesFromPaper(kept)).toContain('Yjs, list with move');
});

/** Rows in which today's programs give another mark than the paper, such as "ShareDB, list with move". */
function differencesFromPaper(kept: Outcomes): string[] {
  return PAPER_ROWS.filter(({ capabilities }) => capabilities.length > 0).flatMap(({ title, capabilities, marks }) =>
    Object.entries(PAPER_LIBRARIES)
      .filter(([name, inPaper]) => {
        const here = asPaperMark(capabilities.map((id) => kept[name]!.outcomes[id]!));
        return here !== marks[inPaper];
      })
      .map(([, inPaper]) => `${inPaper}, ${title}`),
  );
}

test('each difference from the paper is explained in the document', async () => {
  const page = await readFile(join(PROJECT_ROOT, 'docs/data/capabilities.md'), 'utf8');
  const explained = [...page.matchAll(/^- \*\*([^*]+)\*\*/gm)].map((match) => match[1]!);
  expect(explained.sort()).toEqual(differencesFromPaper(await readOutcomes()).sort());
});
