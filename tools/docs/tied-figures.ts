/**
 * Figures in prose, each tied to its place in the data. A comment behind a sentence has the query whose values are the sentence's
 * figures, row by row, in their order; `cells.sql` says over what:
 *
 *   Its server took 10 to 21 % of a core. <!--= SELECT min(serverCpuPercent), max(serverCpuPercent) FROM cells
 *   WHERE experiment = 'hundred' AND framework = 'yjs' -->
 *
 * Two texts stand for figures that have no data here: 'given' is chosen and not measured, such as a bound; an address is another's
 * publication.
 */
import type { Cells, Expression, Value } from './cells.ts';
import type { Document } from './documents.ts';

/** Pages whose figures must all be tied. On others, what a marker names is checked. */
const TIED_PAGES = /^(README|docs\/(data\/(?!capabilities).*|analysis|choose|paper))\.md$/;

const MARKER = /<!--=([\s\S]*?)-->/g;
/** No sign of a figure stands in them. */
const NO_PROSE = [
  /^<!-- ([\w -]+): written by npm run docs[\s\S]*?^<!-- end of \1 -->$/gm,
  /^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm,
  /<!--(?!=)[\s\S]*?-->/g,
  /`[^`\n]*`/g,
  /\]\([^)]*\)/g,
];
const BLOCK = /\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\. ))/;

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const USERS = /(\d+(?:(?:, | and | or | nor | to )\d+)*) (?:\S+ )?(?:users|typists|people)/g;
/** Beside such words a number of users is what was found, and not with how many the other figures were measured. */
const FOUND = /\b(?:held|carr(?:y|ies|ied)|failed|tried|at (?:least|most)|(?:more|fewer) than|above|below|up to)\b/;
const CLAUSE_END = /(?<=\D[.;:])\s/;
/** Figures that are no measurements: dates, versions, numbers of parts, the level of intervals. */
const ALLOWED = [
  new RegExp(`\\b(?:\\d{1,2}(?: and |, ))*\\d{1,2} (?:${MONTHS})(?: \\d{4})?(?:, \\d{1,2}:\\d\\d)?`, 'g'),
  /\b(?:19|20)\d\d\b(?! ?(?:%|(?:ms|s|KiB|MiB|µs|users|bytes|edits)\b))/g,
  /\b\d+(?:\.\d+){2,}\S*/g,
  /\b(?:Node|Chromium|Chrome|Debian|Linux|Table|table|[Ss]ection|pull request) \d+(?:\.\d+)*/g,
  /\b9[05] % (?:confidence )?intervals?/g,
  /^\s*\d+\. /g,
];
/** With its unit, if that stands right behind it and is one that names of figures end in. */
const FIGURE = /(?<![\p{L}\d_.,−-])[−-]?\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\d_])(?: (?:%|(?:ms|s|KiB|MiB)(?!\p{L})))?/gu;
const UNITS: Readonly<Record<string, string>> = { Percent: '%', Ms: 'ms', KiB: 'KiB', MiB: 'MiB' };

/** The same of all documents, each message with its page. */
export async function untiedOf(documents: readonly Document[], cells: Cells): Promise<string[]> {
  const found = await Promise.all(
    documents.map(async ({ path, text }) => {
      const messages = await untiedFigures(text, cells, TIED_PAGES.test(path));
      return messages.map((message) => `${path}: ${message}`);
    }),
  );
  return found.flat();
}

/**
 * Sentences that the data do not bear out.
 *
 * @param mustAll true if a figure without a marker is one of them
 * @returns one message for each figure that differs, and for each marker whose query fails or gives another number of figures
 */
export async function untiedFigures(markdown: string, cells: Cells, mustAll = true): Promise<string[]> {
  const prose = NO_PROSE.reduce((text, pattern) => text.replaceAll(pattern, ''), markdown);
  const counts = new Set((await cells.ask('SELECT DISTINCT users FROM cells')).rows.map(String));
  const found: string[] = [];
  for (const block of prose.split(BLOCK)) {
    if (/^\s*<!--=/m.test(block)) {
      found.push(`a marker begins a line, which ends the paragraph, in: ${firstWords(block)}`);
    }
    // Text and markers in turns; the last text has no marker.
    const stretches = block.split(MARKER);
    for (let index = 1; index < stretches.length; index += 2) {
      found.push(...(await judge(figuresOf(stretches[index - 1]!, counts), stretches[index]!.trim(), cells)));
    }
    const rest = mustAll ? figuresOf(stretches.at(-1)!, counts) : [];
    found.push(...rest.map((figure) => `"${figure}" has no marker, in: ${firstWords(block)}`));
  }
  return found;
}

async function judge(figures: readonly string[], sql: string, cells: Cells): Promise<string[]> {
  let values: Value[];
  let expressions: Expression[];
  try {
    values = (await cells.ask(sql)).rows.flat();
    expressions = await cells.selected(sql);
  } catch (error) {
    return [`${(error as Error).message}, in: ${sql}`];
  }
  if (figures.length !== values.length) {
    return [
      `${figures.length} figures (${figures.join('; ')}) have ${values.length} values (${values.join('; ')}): ${sql}`,
    ];
  }
  return figures.flatMap((figure, index) => {
    const value = values[index]!;
    if (value === 'given' || String(value).startsWith('https://')) return [];
    if (typeof value !== 'number') return [`"${figure}" is ${value} in the data, by: ${sql}`];
    const [unit, known] = [/[a-zA-Z%]+$/.exec(figure)?.[0], unitOf(expressions[index % expressions.length]!)];
    if (unit !== undefined && known !== undefined && unit !== known) return [`"${figure}" is in ${known} by: ${sql}`];
    return agrees(figure, value) ? [] : [`"${figure}" is ${value} in the data, by: ${sql}`];
  });
}

/** The figures of a text that must be tied, as written; numbers of users that were measured need not be, unless they are a finding. */
function figuresOf(text: string, counts: ReadonlySet<string>): string[] {
  const isMeasured = (numbers: string) => numbers.split(/\D+/).every((count) => counts.has(count));
  const withoutUsers = text
    .split(CLAUSE_END)
    .map((clause) =>
      FOUND.test(clause) ? clause : clause.replaceAll(USERS, (all, numbers) => (isMeasured(numbers) ? '' : all)),
    )
    .join(' ');
  return ALLOWED.reduce((rest, form) => rest.replaceAll(form, ''), withoutUsers).match(FIGURE) ?? [];
}

/** The unit that a column's name tells; none of what is calculated, but for seconds of milliseconds. */
function unitOf({ parsed }: Expression): string | undefined {
  const unit = UNITS[/"\w*(Percent|Ms|KiB|MiB)"/.exec(parsed)?.[1] ?? ''];
  const operators = [...parsed.matchAll(/"function_name":"([-+*/])"/g)].map(([, operator]) => operator);
  if (operators.length === 0) return unit;
  return unit === 'ms' && operators.join() === '/' && parsed.includes('"value":1000}') ? 's' : undefined;
}

/**
 * The figure is the value, rounded as the figure is written; trailing zeros of a whole number leave two digits that count, but
 * those of percents, whose bounds lie near 100. Nothing is rounded to 0.
 */
function agrees(figure: string, value: number): boolean {
  const digits = figure.replaceAll(/[^\d.]/g, '');
  if (Number(digits) === 0) return value === 0;
  const [whole, decimals] = digits.split('.') as [string, string?];
  const zeros = figure.endsWith('%') ? 0 : Math.min(/0*$/.exec(whole)![0].length, Math.max(0, whole.length - 2));
  const step = 10 ** (decimals === undefined ? zeros : -decimals.length);
  const written = Number(digits) * (/^[−-]/.test(figure) ? -1 : 1);
  return Math.abs(written - value) <= step * (0.5 + 1e-9);
}

function firstWords(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
}
