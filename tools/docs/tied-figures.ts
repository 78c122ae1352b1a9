/**
 * Figures in prose, each tied to its place in the data. A comment behind a sentence names these places, in the order of the
 * sentence's figures:
 *
 *   Its server took 10 to 21 % of a core. <!--= hundred yjs serverCpuPercent: least; greatest -->
 *
 * Words before the colon belong to every place. A place names an experiment or one of its runs, values of a cell's parameters
 * (`yjs`, `112`, `users=8`), a figure, and, if several cells or runs match, `least`, `greatest`, `mean` or `count`. Places may
 * be divided, multiplied, added and subtracted, from left to right: `yjs applyMs / 1000`. Two places have no data here:
 * `given` is chosen and not measured, such as a bound; an address is another's publication.
 */
import type { Document } from './documents.ts';
import type { Place } from './places.ts';

/** Pages whose figures must all be tied. On others, what a marker names is checked. */
const TIED_PAGES = /^(README|docs\/(data\/(?!capabilities).*|analysis|choose|paper))\.md$/;

const MARKER = /<!--=([\s\S]*?)-->/g;
/** No sign of a figure stands in them. */
const NO_PROSE = [
  /^<!-- ([^:\n]+): written by npm run docs -->$[\s\S]*?^<!-- end of \1 -->$/gm,
  /^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm,
  /<!--(?!=)[\s\S]*?-->/g,
  /`[^`\n]*`/g,
  /\]\([^)]*\)/g,
];
const BLOCK = /\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\. ))/;

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const USERS = /(\d+(?:(?:, | and | or | nor | to )\d+)*) (?:\S+ )?(?:users|typists|people)/g;
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
export function untiedOf(documents: readonly Document[], places: readonly Place[]): string[] {
  return documents.flatMap(({ path, text }) =>
    untiedFigures(text, places, TIED_PAGES.test(path)).map((message) => `${path}: ${message}`),
  );
}

/**
 * Sentences that the data do not bear out.
 *
 * @param places  the data
 * @param mustAll true if a figure without a marker is one of them
 * @returns one message for each figure that differs, has no place, or has one that is not in the data
 */
export function untiedFigures(markdown: string, places: readonly Place[], mustAll = true): string[] {
  const prose = NO_PROSE.reduce((text, pattern) => text.replaceAll(pattern, ''), markdown);
  return prose.split(BLOCK).flatMap((block) => {
    const [rest, ...stretches] = block.split(MARKER).reverse();
    // Before each marker stands the text whose figures it names.
    const tied = stretches.flatMap((text, index) => (index % 2 === 0 ? [[stretches[index + 1]!, text] as const] : []));
    return [
      ...(/^\s*<!--=/m.test(block)
        ? [`a marker begins a line, which ends the paragraph, in: ${firstWords(block)}`]
        : []),
      ...tied.toReversed().flatMap(([text, marker]) => judge(figuresOf(text, places), placesOf(marker), places)),
      ...(mustAll ? figuresOf(rest!, places) : []).map(
        (figure) => `"${figure}" has no marker, in: ${firstWords(block)}`,
      ),
    ];
  });
}

function judge(figures: readonly string[], named: readonly string[], places: readonly Place[]): string[] {
  if (figures.length !== named.length) {
    return [`${figures.length} figures (${figures.join('; ')}) have ${named.length} places (${named.join('; ')})`];
  }
  return figures.flatMap((figure, index) => {
    const place = named[index]!;
    if (isApart(place)) return [];
    try {
      const value = resultOf(place, places);
      const [unit, known] = [/[a-zA-Z%]+$/.exec(figure)?.[0], unitOf(place)];
      if (unit !== undefined && known !== undefined && unit !== known)
        return [`"${figure}" is in ${known} by: ${place}`];
      return agrees(figure, value) ? [] : [`"${figure}" is ${value} in the data, by: ${place}`];
    } catch (error) {
      return [`"${figure}": ${(error as Error).message}`];
    }
  });
}

/** The figures of a text that must be tied, as written. */
function figuresOf(text: string, places: readonly Place[]): string[] {
  const counts = new Set(places.map(({ fields }) => String(fields.users)));
  const withoutUsers = text.replaceAll(USERS, (all, numbers: string) =>
    numbers.split(/\D+/).every((count) => counts.has(count)) ? '' : all,
  );
  return ALLOWED.reduce((rest, form) => rest.replaceAll(form, ''), withoutUsers).match(FIGURE) ?? [];
}

/** `hundred yjs: a; b` names `hundred yjs a` and `hundred yjs b`. */
function placesOf(marker: string): string[] {
  const [, shared = '', own] = /^(?:([^:]*):(?!\/\/))?([\s\S]*)$/.exec(marker.replaceAll(/\s+/g, ' '))!;
  return own!.split(';').map((each) => (isApart(each.trim()) ? each : `${shared} ${each}`).trim());
}

function isApart(place: string): boolean {
  return place === 'given' || place.startsWith('https://');
}

/** The unit that a figure's name tells; none of what is calculated, but for seconds of milliseconds. */
function unitOf(place: string): string | undefined {
  const [, name, divisor] = /(Percent|Ms|KiB|MiB)(?:\.\S+)?(?: least| greatest)?(?: (\S.*))?$/.exec(place) ?? [];
  if (divisor === undefined) return UNITS[name ?? ''];
  return name === 'Ms' && divisor === '/ 1000' ? 's' : undefined;
}

/**
 * The value of a place, such as `hundred yjs serverCpuPercent least`.
 *
 * @throws Error if a place names no value, or several
 */
export function resultOf(place: string, places: readonly Place[]): number {
  const [first = '', ...rest] = place.split(/ ([-+*/]) /);
  return rest.reduce(
    (value, text, index) => (index % 2 === 0 ? value : calculate(value, rest[index - 1]!, operand(text, places))),
    operand(first, places),
  );
}

function operand(text: string, places: readonly Place[]): number {
  return /^[\d.]+$/.test(text) ? Number(text) : numberAt(text, places);
}

function calculate(a: number, operator: string, b: number): number {
  const results: Readonly<Record<string, number>> = { '+': a + b, '-': a - b, '*': a * b, '/': a / b };
  return results[operator]!;
}

const REDUCTIONS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  least: (values) => Math.min(...values),
  greatest: (values) => Math.max(...values),
  mean: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  count: (values) => values.filter((value) => value > 0).length,
};

function numberAt(place: string, places: readonly Place[]): number {
  const words = place.split(' ').filter((word) => word !== '');
  const reduction = words.find((word) => word in REDUCTIONS);
  const others = words.filter((word) => word !== reduction);
  const runs = others.filter((word) => places.some(({ runs }) => runs.includes(word)));
  // A place's own run stands after that of the marker, and counts instead.
  const ofRun = places.filter(({ runs: names }) => names.includes(runs.at(-1) ?? ''));
  if (ofRun.length === 0) throw new Error(`"${place}" names no kept run`);
  const choices = others.filter((word) => !runs.includes(word) && ofRun.some(({ words }) => words.has(word)));
  const chosen = ofRun.filter(({ words }) => choices.every((word) => words.has(word)));
  const [path, ...unknown] = others.filter((word) => !runs.includes(word) && !choices.includes(word));
  if (path === undefined || unknown.length > 0)
    throw new Error(`"${place}" needs one figure, has: ${[path, ...unknown]}`);
  const values = chosen.flatMap(({ fields }) => numbersIn(fields, path));
  if (reduction !== undefined && values.length > 0) return REDUCTIONS[reduction]!(values);
  if (values.length !== 1)
    throw new Error(`"${place}" names ${values.length} values: ${values.slice(0, 5).join(', ')}`);
  return values[0]!;
}

/** A figure by its path; names may have points themselves, as `ci95['localLatencyMs.p50']` has. */
function numbersIn(fields: unknown, path: string): number[] {
  if (typeof fields !== 'object' || fields === null) return [];
  const value = (fields as Record<string, unknown>)[path];
  if (typeof value === 'number') return [value];
  if (typeof value === 'boolean') return [Number(value)];
  const parts = path.split('.');
  return parts.slice(1).flatMap((_, index) => {
    const head = parts.slice(0, index + 1).join('.');
    return numbersIn((fields as Record<string, unknown>)[head], parts.slice(index + 1).join('.'));
  });
}

/** The figure is the value, rounded as the figure is written; trailing zeros of a whole number leave two digits that count. */
function agrees(figure: string, value: number): boolean {
  const digits = figure.replaceAll(/[^\d.]/g, '');
  const [whole, decimals] = digits.split('.') as [string, string?];
  const zeros = Math.min(/0*$/.exec(whole)![0].length, Math.max(0, whole.length - 2));
  const step = 10 ** (decimals === undefined ? zeros : -decimals.length);
  const written = Number(digits) * (/^[−-]/.test(figure) ? -1 : 1);
  return Math.abs(written - value) <= step * (0.5 + 1e-9);
}

function firstWords(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
}
