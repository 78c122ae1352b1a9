/**
 * The parts of the documents that are written from the code, so that they cannot go out of date. Each stands between
 * two comments, `<!-- options: written by npm run docs -->` and `<!-- end of options -->`. A table of kept cells has its query there:
 * `<!-- rows: written by npm run docs from SELECT cell FROM cells WHERE experiment = 'compare' -->`.
 */
import { lastCalibration } from '../../analysis/cell/cells.ts';
import { SCENARIOS } from '../../analysis/scenarios/catalogue.ts';
import { readBenches } from '../../analysis/site/kept-runs.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import { CHECKS } from '../../analysis/verdict/checks.ts';
import {
  capabilitiesMarkdown,
  capabilityRowsMarkdown,
  paperMarksMarkdown,
} from '../../capabilities/capabilities-table.ts';
import { readOutcomes } from '../../capabilities/outcomes.ts';
import { type DescribedEngine, describeEngines } from '../../documents/replay/engines.ts';
import { presenceOf } from '../../editors/base/framework.ts';
import { PROPERTIES } from '../../frameworks/check/properties.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { INVARIANTS } from '../../frameworks/explore/invariants.ts';
import type { Framework } from '../../frameworks/framework.ts';
import { lackedModes, MODES, type ModeRow, modesOf } from '../../frameworks/modes.ts';
import { formatRows } from '../../harness/calibration/rows.ts';
import { documentOptions, optionsTable } from '../../harness/experiment/experiment-options.ts';
import type { FleetAbout } from '../../infra/fleet.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { DOCUMENT_SCENARIOS } from '../../results/formats/documents.ts';
import { ASKED_FAULTS, type AskedFaultKind } from '../../results/formats/fault-records.ts';
import type { Cells } from './cells.ts';
import { commandsMarkdown } from './commands.ts';
import { crowdBenchesMarkdown } from './crowd-benches.ts';
import { figuresTable } from './figures-table.ts';
import { benchTable, KEPT_TABLES } from './kept-tables.ts';
import { sizesMarkdown } from './sizes.ts';
import { codeBlock, dateOf, wrap, wrapItem } from './wording.ts';

/** Writers of the parts that are made of declarations, by the name in the docs' comments. */
export const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  'crowd benches': () => crowdBenchesMarkdown(),
  ...Object.fromEntries((await readBenches()).map((bench) => [`bench ${bench.name}`, () => benchTable(bench)])),
  ...Object.fromEntries(
    DOCUMENT_SCENARIOS.flatMap((name) => [
      [`${name} options`, () => markdownTable(OPTION_COLUMNS, optionsTable(documentOptions(name)))],
      [`${name} columns`, () => SCENARIOS[name].legend.map((line) => wrapItem(`- ${line}`)).join('\n')],
    ]),
  ),
  frameworks: async () => frameworksMarkdown(await discoverFrameworks()),
  'presence means': async () => presenceMarkdown(await discoverFrameworks()),
  'known issues': async () => knownIssuesMarkdown(await discoverFrameworks()),
  properties: () => rulesMarkdown('property', PROPERTIES),
  invariants: () => rulesMarkdown('invariant', INVARIANTS),
  modes: modesMarkdown,
  options: () => markdownTable(OPTION_COLUMNS, optionsTable()),
  engines: async () => enginesMarkdown(await describeEngines()),
  figures: figuresTable,
  calibration: calibrationMarkdown,
  checks: checksMarkdown,
  fleets: fleetsMarkdown,
  commands: commandsMarkdown,
  sizes: () => sizesMarkdown(),
  capabilities: async () => capabilitiesMarkdown(await readOutcomes()),
  'capability rows': capabilityRowsMarkdown,
  'paper capabilities': async () => paperMarksMarkdown(await readOutcomes()),
};

const OPTION_COLUMNS = ['property', 'default', 'value', 'what it is'];

function rulesMarkdown(heading: string, rules: readonly { id: string; title: string }[]): string {
  const rows = rules.map(({ id, title }) => [`\`${id}\``, title]);
  return markdownTable([heading, 'what must hold'], rows);
}

function frameworksMarkdown(frameworks: readonly Framework[]): string {
  return markdownTable(
    ['framework', 'version', 'algorithm', 'licence', 'server', 'tier', 'modes', 'sender batching'],
    frameworks.map(({ name, version, about }) => [
      `[\`${name}\`](../editors/${name}/README.md)`,
      version,
      about.algorithm,
      about.licence,
      about.server,
      about.tier,
      modesOf(about)
        .map((mode) => `\`${mode}\``)
        .join(', '),
      about.withoutSendBatching === undefined ? 'applies' : 'gathers by itself',
    ]),
  );
}

function knownIssuesMarkdown(frameworks: readonly Framework[]): string {
  return frameworks
    .flatMap(({ name, about }) => [
      ...(about.knownIssues ?? []).map(({ summary }) => [name, summary]),
      ...lackedModes(about).map(({ mode, why }) => [name, `Not in \`${mode}\`: ${why}`]),
    ])
    .map(([name, issue]) => `- [\`${name}\`](../editors/${name}/README.md): ${issue}`)
    .join('\n');
}

/** By what means each has presence, or why it has none. */
export function presenceMarkdown(frameworks: readonly Framework[]): string {
  const rows = frameworks.map(({ name, about }) => {
    const { by, lacking } = presenceOf(about);
    return [`\`${name}\``, by ?? `none. ${lacking}`];
  });
  return markdownTable(['framework', 'presence'], rows);
}

/** Of the last calibration: how many bounds held, and those that did not, as `calibrate` prints them. */
function calibrationMarkdown(): string {
  const { startedAt, full, machine, rows } = lastCalibration()!;
  const { cpu, cores, chrome, calmestPercent, busiestPercent } = machine;
  const busy =
    calmestPercent === null || busiestPercent === null
      ? ''
      : `; all cores together were ${calmestPercent.toFixed(0)} to ${busiestPercent.toFixed(0)} % busy`;
  const missed = rows.filter(({ withinBound }) => !withinBound);
  const what = `\`./scriptorium calibrate${full ? ' --full' : ''}\`, ${full ? 'three trials' : 'one trial'} of each`;
  const where = `on ${cores} cores of ${cpu} (${chrome ?? 'an unknown Chrome'})${busy}`;
  const held = `${rows.length - missed.length} of ${rows.length} bounds held`;
  const text = wrap(
    `${what}, ${dateOf(startedAt)}, ${where}. ${held}${missed.length === 0 ? '.' : ', and not these:'}`,
  );
  return missed.length === 0 ? text : [text, codeBlock(formatRows(missed))].join('\n\n');
}

function checksMarkdown(): string {
  return markdownTable(
    ['code', 'makes a trial', 'but a note where this was asked to break', 'view with the findings'],
    CHECKS.map(({ code, makes, explainedBy = [], view }) => [
      // Without a code, each of its findings brings one.
      code === null ? 'of each finding' : `\`${code}\``,
      makes === 'note' ? 'noted, still valid' : makes,
      faultsText(explainedBy),
      `\`${view}\``,
    ]),
  );
}

/** Most are told by the others. */
function faultsText(kinds: readonly AskedFaultKind[]): string {
  const others = ASKED_FAULTS.filter((kind) => !kinds.includes(kind));
  return others.length < kinds.length ? `any fault but ${others.join(', ')}` : kinds.join(', ');
}

function enginesMarkdown(engines: readonly DescribedEngine[]): string {
  const rows = engines.map(({ name, version, kind, observes, encodings, algorithm, licence, isNative }) => [
    `\`${name}\``,
    version,
    kind,
    isNative ? 'Rust' : 'JavaScript',
    observes.join(', '),
    encodings.map((encoding) => encoding.name).join(', '),
    algorithm,
    licence,
  ]);
  return markdownTable(['engine', 'version', 'kind', 'in', 'offers', 'saves as', 'algorithm', 'licence'], rows);
}

function modesMarkdown(): string {
  const rows = Object.entries<ModeRow>(MODES).map(([mode, { description, userLimits, userCost }]) => [
    `\`${mode}\``,
    description,
    `${userLimits.cpus} CPU, ${userLimits.memoryMiB} MiB`,
    `${userCost.usersPerCore}, with ${userCost.memoryMiB} MiB each`,
  ]);
  return markdownTable(
    ['mode', 'what a user edits in', 'limits of a user’s container', 'users that a core carries'],
    rows,
  );
}

function fleetsMarkdown(): string {
  const yesOrNo = (can: boolean) => (can ? 'yes' : 'no');
  const rows = Object.entries<FleetAbout>(FLEETS).map(([name, fleet]) => [
    `\`${name}\``,
    fleet.description,
    yesOrNo(fleet.limits),
    String(fleet.usersPerProcess),
    yesOrNo(fleet.regions),
    yesOrNo(fleet.isHere),
  ]);
  const headings = ['fleet', 'users and server run in', 'limits', 'users in one Chrome', 'regions', 'hosted documents'];
  return markdownTable(headings, rows);
}

const PART = /^(<!-- ([\w -]+): written by npm run docs(?:\sfrom\s([\s\S]*?))?\s-->)\n[\s\S]*?^(<!-- end of \2 -->)$/gm;

export interface Part {
  name: string;
  /** The query of a table of kept cells; undefined: it is no such table. */
  sql: string | undefined;
}

/** The parts that a text has a place for. */
export function partsOf(text: string): Part[] {
  return [...text.matchAll(PART)].map(([, , name, sql]) => ({ name: name!, sql }));
}

/**
 * The text with its generated parts as they must be now.
 *
 * @throws Error if it has a place for a part that nothing writes, or for a table without a cell
 */
export async function withCurrentParts(text: string, cells: Cells): Promise<string> {
  const contents = await Array.fromAsync(partsOf(text), (part) => contentOf(part, cells));
  return text.replaceAll(PART, (_, start, _name, _sql, end) => `${start}\n\n${contents.shift()}\n\n${end}`);
}

async function contentOf({ name, sql }: Part, cells: Cells): Promise<string> {
  const content = sql === undefined ? PARTS[name]?.() : KEPT_TABLES[name]?.(sql, cells);
  if (content !== undefined) return await content;
  const names = Object.keys(sql === undefined ? PARTS : KEPT_TABLES);
  throw new Error(
    `nothing writes "${name}"${sql === undefined ? '' : ' from a query'}; there are: ${names.join(', ')}`,
  );
}
