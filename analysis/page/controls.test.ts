import { expect, test } from 'vitest';
import { reportedOf } from '../report/typing-report.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { filterControls, questionLinks } from './controls.ts';
import { pageDataOf } from './report-page.ts';
import { readChoices, viewOf } from './selection.ts';
import { stylesOf } from './styles.ts';

const grid = { modes: ['optquill'], trials: 3, seconds: 90 };
const data = pageDataOf(reportedOf(syntheticReport({ ...grid, frameworks: ['yjs', 'broken'], userCounts: [4, 8] })));

test('a filter keeps its key, with which it has the focus again, once it is taken back', () => {
  const keysOf = (hash: string) => {
    const { text } = filterControls(viewOf(data, readChoices(hash)), { data, styles: stylesOf(data) });
    return [...text.matchAll(/data-key="([^"]*)"/g)].map(([, key]) => key);
  };
  expect(keysOf('')).toContain('valid');
  expect(keysOf('#valid=only')).toContain('valid');
});

test('a question of others than the chosen ones takes the choice back', () => {
  const [first, second, ...rest] = data.questions.filter(({ kind }) => kind === 'typing');
  const questions = [first!, second!, ...rest.map((question) => ({ ...question, who: 'store' }))];
  const view = viewOf({ ...data, questions }, readChoices(`#question=${first!.id}&who=yjs`));
  const links = questionLinks(view, { ...data, questions }).text.match(/href="[^"]*"/g)!;
  expect(links.map((link) => link.includes('who=yjs'))).toEqual([true, true, ...rest.map(() => false)]);
});
