/** A change's report for people and pipelines: Markdown for a comment, JUnit XML, and GitHub's annotations. */
import { CHANGES } from '../compare/figure-change.ts';
import { countOf } from '../figures/figure-text.ts';
import { html } from '../tables/markup.ts';
import { markdownList, renderMarkdown } from '../tables/render.ts';
import { left, right, type Table } from '../tables/table.ts';
import type { CiChange, CiOutcome, CiReport } from './ci-report.ts';

const TITLES: Readonly<Record<CiOutcome, string>> = {
  passed: '✅ no threshold missed',
  regression: '❌ a regression',
  broken: '❌ broken',
  unknown: '❔ not known',
  refused: '⚠️ not measured',
};

/** For a comment or a job's summary. */
export function formatCiMarkdown(report: CiReport): string {
  const { written, subject, base, profile, outcome, reasons, changes, machine, notes, repeat } = report;
  const of = (...kinds: CiChange['kind'][]) => changes.filter(({ kind }) => kinds.includes(kind));
  const sure = of('worse', 'better');
  const [same, unknown] = [of('same'), of('unknown')];
  // The next run finds it in the comment's first line, and replaces that comment.
  const marker = `<!-- scriptorium ${written.replaceAll('--', '- -')} -->`;
  const heading = `### Scriptorium: ${subject} against ${base}: ${TITLES[outcome]}`;
  return [
    `${marker}\n${heading}`,
    bullets(reasons),
    changes.length === 0
      ? ''
      : `${countOf(sure.length, 'figure')} changed for sure or beyond a threshold, ${same.length} without a difference found, ${unknown.length} not known.`,
    sure.length === 0 ? '' : `**Changed for sure, or beyond a threshold**\n\n${renderMarkdown(tabulate(sure))}`,
    unknown.length === 0 ? '' : folded(`Not known: ${unknown.length}`, renderMarkdown(tabulate(unknown))),
    same.length === 0 ? '' : folded(`No difference found: ${same.length}`, renderMarkdown(tabulate(same))),
    formatConformance(report),
    notes.length === 0 ? '' : folded(`Notes: ${notes.length}`, bullets(notes)),
    machine === null
      ? ''
      : `Machine: ${machine}. Base and change ran there by turns; intervals are of 95 % over pairs of trials.`,
    `Profile ${profile}; again by: \`${repeat}\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function tabulate(changes: readonly CiChange[]): Table {
  return {
    columns: [
      ...[left('measured'), left('figure'), right('base'), right('change'), right('difference')],
      ...[right('95 % interval'), left('')],
    ],
    rows: changes.map((change) => [
      ...[change.cell, change.figure, change.base, change.new, change.change, change.interval],
      wordOf(change),
    ]),
  };
}

/** Only what a threshold is for fails. It asks about one side, among fewer figures, so that the word may claim no change. */
function wordOf({ kind, gate, word }: CiChange): string {
  if (kind === 'worse' && gate !== null) return `❌ ${CHANGES.has(word) ? `${word}, ` : ''}beyond the threshold`;
  if (kind === 'worse') return `🔸 ${word}`;
  return kind === 'better' ? `✅ ${word}` : word;
}

/** Contents of documents stand in them, which are no markup. */
function bullets(lines: readonly string[]): string {
  return markdownList(lines.map((line) => line.replaceAll('\n', ' ').replaceAll('<', '&lt;')));
}

function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

function formatConformance({ conformance }: CiReport): string {
  if (conformance.length === 0) return '';
  const count = (outcome: string) => conformance.filter((each) => each.outcome === outcome).length;
  const others = ['known issue', 'not supported'].flatMap((outcome) =>
    count(outcome) === 0 ? [] : [`${count(outcome)} ${outcome}`],
  );
  const held = `${count('holds')} of ${conformance.length} properties hold`;
  return `Conformance of the change: ${[held, `${count('fails')} fail`, ...others].join(', ')}.`;
}

/**
 * JUnit XML: a case for each property and each figure. Figures that are not known are skipped, with the reason.
 *
 * @see https://github.com/testmoapp/junitxml
 */
export function formatJunit({ subject, outcome, reasons, conformance, changes }: CiReport): string {
  const properties = conformance.map(({ mode, property, outcome: found, message }) =>
    testCase(`conformance.${mode}`, property, {
      failure: found === 'fails' ? (message ?? 'no reason is known') : null,
      skipped: found === 'known issue' || found === 'not supported' ? (message ?? found) : null,
    }),
  );
  const figures = changes.map(({ cell, figure, base, new: fresh, change, interval, word, kind, gate }) => {
    const text = `${base} → ${fresh}, ${change} (${interval}): ${word}`;
    const isMissed = kind === 'worse' && gate !== null;
    const isUnknown = kind === 'unknown';
    return testCase(cell, figure, { failure: isMissed ? gate : null, skipped: isUnknown ? text : null });
  });
  const whole = testCase('run', 'measured', {
    error: outcome === 'refused' ? reasons.join('; ') : null,
    failure: outcome === 'broken' && conformance.every((each) => each.outcome !== 'fails') ? reasons.join('; ') : null,
    skipped: outcome === 'unknown' ? reasons.join('; ') : null,
  });
  const cases = [whole, ...properties, ...figures];
  const count = (kind: string) => cases.filter((each) => each.includes(`<${kind} `)).length;
  const totals = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `<testsuite name="scriptorium ${escapeXml(subject)}" ${totals}>`,
    ...cases,
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

type Ends = Partial<Record<'failure' | 'error' | 'skipped', string | null>>;

function testCase(className: string, name: string, ends: Ends): string {
  const [end] = Object.entries(ends).filter(([, message]) => message !== null && message !== undefined);
  const inside = end === undefined ? '' : `<${end[0]} message="${escapeXml(end[1]!)}"/>`;
  return `<testcase classname="${escapeXml(className)}" name="${escapeXml(name)}">${inside}</testcase>`;
}

/** Characters that XML cannot hold at all, such as those that colour a terminal, are left out. */
function escapeXml(text: string): string {
  const held = [...text].filter((character) => character >= ' ' || character === '\n').join('');
  return html`${held}`.text.replaceAll('\n', '&#10;');
}

const LEVELS: Readonly<Record<CiOutcome, 'error' | 'warning' | null>> = {
  passed: null,
  regression: 'error',
  broken: 'error',
  refused: 'error',
  unknown: 'warning',
};

/** A line each. @see https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions */
export function formatAnnotations({ subject, outcome, reasons }: CiReport): string {
  const escapeData = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const escapeTitle = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const level = LEVELS[outcome];
  const title = escapeTitle(`Scriptorium, ${subject}: ${outcome}`);
  return level === null ? '' : reasons.map((reason) => `::${level} title=${title}::${escapeData(reason)}\n`).join('');
}
