/** The outcomes for people: a table for a terminal, and tables with links to the programs for the document. */
import { html } from '../analysis/tables/markup.ts';
import { markdownTable } from '../analysis/tables/render.ts';
import { left } from '../analysis/tables/table.ts';
import { alignTable } from '../results/text-table.ts';
import { CAPABILITIES, type Capability, LIBRARIES, type Library, programPath } from './capabilities.ts';
import type { Outcomes } from './outcomes.ts';
import { asPaperMark, PAPER_LIBRARIES, PAPER_ONLY, PAPER_ROWS } from './paper-marks.ts';
import type { Mark } from './programs/outcome.ts';
import type { Cell, CellOutcome } from './run-capabilities.ts';

const SIGNS: Record<Mark, string> = { yes: '✓', partly: '½', no: '✗', 'not offered': 'not offered' };
const FAILED = 'failed';

/** A row for each capability, what the signs mean, and why a cell is not ✓. */
export function formatCapabilities(cells: readonly Cell[]): string {
  const libraries = [...new Set(cells.map(({ library }) => library))];
  const rows = [...Map.groupBy(cells, ({ capability }) => capability)].map(([{ title }, row]) => [
    title,
    ...row.map(({ outcome }) => signOf(outcome)),
  ]);
  const reasons = cells.flatMap(({ capability, library, outcome }) => {
    const why = whyOf(outcome);
    return why === undefined ? [] : [`${signOf(outcome)} ${library.name}, ${capability.title}: ${why}`];
  });
  return [
    alignTable([['', ...libraries.map(({ name }) => name)], ...rows]),
    '✓ yes   ½ partly   ✗ no   not offered: there is no interface for it   failed: the program, which says nothing of the library',
    ...(reasons.length > 0 ? [reasons.join('\n')] : []),
  ].join('\n\n');
}

function signOf(outcome: CellOutcome): string {
  return 'failed' in outcome ? FAILED : SIGNS[outcome.mark];
}

function whyOf(outcome: CellOutcome): string | undefined {
  return 'failed' in outcome ? outcome.failed : outcome.why;
}

/** The table of `docs/data/capabilities.md`: each cell leads to its program, and its number to the reason below. */
export function capabilitiesMarkdown(kept: Outcomes): string {
  const reasons: string[] = [];
  const rows = CAPABILITIES.map((capability) => [
    capability.title,
    ...LIBRARIES.map((library) => {
      const { mark, why } = kept[library.name]!.outcomes[capability.id]!;
      const link = `[${SIGNS[mark]}](../../${programPath(capability, library)})`;
      if (why === undefined) return link;
      return `${link} <sup>${numberOf(reasons, why)}</sup>`;
    }),
  ]);
  const headings = ['', ...LIBRARIES.map(({ name, title }) => `${title} ${kept[name]!.version}`)];
  const list = reasons.map((why, index) => `${index + 1}. ${why.charAt(0).toUpperCase()}${why.slice(1)}.`);
  return [markdownTable(headings, rows), list.join('\n')].join('\n\n');
}

/** The same for a page: a cell leads to its program, and its reason shows when it is pointed at. */
export function capabilitiesPage(kept: Outcomes, code: string) {
  const cell = (capability: Capability, library: Library) => {
    const { mark, why = '' } = kept[library.name]!.outcomes[capability.id]!;
    return html`<a href="${code}${programPath(capability, library)}" title="${why}">${SIGNS[mark]}</a>`;
  };
  return {
    title: 'What libraries can do, as programs saw it',
    columns: [left(''), ...LIBRARIES.map(({ name, title }) => ({ ...left(title), unit: kept[name]!.version }))],
    rows: CAPABILITIES.map((capability) => [
      html`<span title="${capability.holds}">${capability.title}</span>`,
      ...LIBRARIES.map((library) => cell(capability, library)),
    ]),
    notes: ['✓ yes, ½ partly, ✗ no. Point at a sign for its reason; it leads to the program that found it.'],
  };
}

/** From 1 on; the same reason has one number. */
function numberOf(reasons: string[], why: string): number {
  const known = reasons.indexOf(why);
  return known === -1 ? reasons.push(why) : known + 1;
}

/** The condition that each row's programs test. */
export function capabilityRowsMarkdown(): string {
  return markdownTable(
    ['row', 'what must hold'],
    CAPABILITIES.map(({ title, holds }) => [title, holds]),
  );
}

/** The paper's marks, and beside those of the libraries that are here what the programs saw: "paper → here". */
export function paperMarksMarkdown(kept: Outcomes): string {
  const tried = Object.entries(PAPER_LIBRARIES);
  const rows = PAPER_ROWS.map(({ title, capabilities, marks }) => [
    title,
    ...tried.map(([name, inPaper]) => {
      if (capabilities.length === 0) return marks[inPaper]!;
      return `${marks[inPaper]} → ${asPaperMark(capabilities.map((id) => kept[name]!.outcomes[id]!))}`;
    }),
    ...PAPER_ONLY.map((name) => marks[name]!),
  ]);
  return markdownTable(['the paper’s row', ...tried.map(([, inPaper]) => inPaper), ...PAPER_ONLY], rows);
}
