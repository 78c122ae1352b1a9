/**
 * The parts of the documents that are written from the code, so that they cannot go out of date. Each stands between
 * two comments, `<!-- options: written by npm run docs -->` and `<!-- end of options -->`.
 */
import { lastCalibration } from '../../analysis/cell/cells.ts';
import { CATALOGUES } from '../../analysis/documents/table.ts';
import { keptNames, readKept } from '../../analysis/site/kept-runs.ts';
import { figuresTable } from '../../analysis/tables/figures-table.ts';
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
import type { Framework } from '../../frameworks/framework.ts';
import { lackedModes, MODES, type ModeRow, modesOf } from '../../frameworks/modes.ts';
import { formatRows } from '../../harness/calibration/rows.ts';
import { documentOptions, optionsTable } from '../../harness/experiment/experiment-options.ts';
import type { FleetAbout } from '../../infra/fleet.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { DOCUMENT_SCENARIOS } from '../../results/formats/documents.ts';
import { carriedChart, carriedMarkdown } from './carried.ts';
import { chooseMarkdown } from './choose.ts';
import { ciPowerMarkdown } from './ci-power.ts';
import { commandsMarkdown } from './commands.ts';
import { crowdBenchesMarkdown } from './crowd-benches.ts';
import { exampleDiff } from './example-diff.ts';
import { writeKeptTable } from './kept-tables.ts';
import { paperGrid, paperUsers } from './paper-grid.ts';
import { codeBlock, dateOf, wrap, wrapItem } from './wording.ts';

/** The experiment whose kept runs are all parts of one grid. */
export const PAPER_GRID = 'paper-on-one-machine';

/** Writers of the parts that are made of declarations, by the name in the docs' comments. Tables of kept runs name those. */
export const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  'paper grid': async () => {
    const names = await keptNames(undefined, PAPER_GRID);
    return paperGrid(await Promise.all(names.map((name) => readKept(name))));
  },
  'paper users': paperUsers,
  choose: () => chooseMarkdown(),
  'example diff': exampleDiff,
  carried: () => carriedMarkdown(),
  'carried chart': carriedChart,
  'crowd benches': () => crowdBenchesMarkdown(),
  ...Object.fromEntries(
    DOCUMENT_SCENARIOS.map((name) => [
      `${name} options`,
      () => markdownTable(OPTION_COLUMNS, optionsTable(documentOptions(name))),
    ]),
  ),
  ...Object.fromEntries(
    DOCUMENT_SCENARIOS.map((name) => [
      `${name} columns`,
      () => CATALOGUES[name].legend.map((line) => wrapItem(`- ${line}`)).join('\n'),
    ]),
  ),
  frameworks: async () => frameworksMarkdown(await discoverFrameworks()),
  'presence means': async () => presenceMarkdown(await discoverFrameworks()),
  'known issues': async () => knownIssuesMarkdown(await discoverFrameworks()),
  properties: () =>
    markdownTable(
      ['property', 'what must hold'],
      PROPERTIES.map(({ id, title }) => [`\`${id}\``, title]),
    ),
  modes: modesMarkdown,
  options: () => markdownTable(OPTION_COLUMNS, optionsTable()),
  engines: async () => enginesMarkdown(await describeEngines()),
  figures: figuresTable,
  calibration: calibrationMarkdown,
  checks: checksMarkdown,
  fleets: fleetsMarkdown,
  commands: commandsMarkdown,
  'ci power': ciPowerMarkdown,
  capabilities: async () => capabilitiesMarkdown(await readOutcomes()),
  'capability rows': capabilityRowsMarkdown,
  'paper capabilities': async () => paperMarksMarkdown(await readOutcomes()),
};

const OPTION_COLUMNS = ['property', 'default', 'value', 'what it is'];

/** The frameworks with what is known of each. */
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

/** The known issues of each framework. */
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

/** The checks of the verdict, from the list that judges. */
function checksMarkdown(): string {
  return markdownTable(
    ['code', 'makes a trial', 'but a note where this was asked to break', 'view with the findings'],
    CHECKS.map(({ code, makes, explainedBy = [], view }) => [
      // Without a code, each of its findings brings one.
      code === null ? 'of each finding' : `\`${code}\``,
      makes === 'note' ? 'noted, still valid' : makes,
      explainedBy.join(', '),
      `\`${view}\``,
    ]),
  );
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
    yesOrNo(fleet.hostedDocuments),
  ]);
  const headings = ['fleet', 'users and server run in', 'limits', 'users in one Chrome', 'regions', 'hosted documents'];
  return markdownTable(headings, rows);
}

const PART = /^(<!-- ([^:\n]+): written by npm run docs -->)\n[\s\S]*?^(<!-- end of \2 -->)$/gm;

/** The names of the parts that a text has a place for. */
export function partsOf(text: string): string[] {
  return [...text.matchAll(PART)].map((match) => match[2]!);
}

/**
 * The text with its generated parts as they must be now.
 *
 * @throws Error if it has a place for a part that nothing writes, or for a run that is not kept
 */
export async function withCurrentParts(text: string): Promise<string> {
  const written = new Map<string, string>();
  for (const name of partsOf(text)) {
    const content = await (PARTS[name]?.() ?? writeKeptTable(name));
    if (content === null) throw new Error(`nothing writes "${name}"; there are: ${Object.keys(PARTS).join(', ')}`);
    written.set(name, content);
  }
  return text.replaceAll(PART, (_, start, name, end) => `${start}\n\n${written.get(name)}\n\n${end}`);
}
