/**
 * The parts of the documents that are written from the code, so that they cannot go out of date. Each stands between
 * two comments, `<!-- options: written by npm run docs -->` and `<!-- end of options -->`.
 */
import { lastCalibration } from '../../analysis/cell/calibration.ts';
import { figuresTable } from '../../analysis/tables/figures-table.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import { type DescribedEngine, describeEngines } from '../../documents/replay/engines.ts';
import { PROPERTIES } from '../../frameworks/check/properties.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { MODES, type ModeRow } from '../../frameworks/modes.ts';
import { documentOptions, optionsTable } from '../../harness/experiment/experiment-options.ts';
import type { FleetAbout } from '../../infra/fleet-about.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { DOCUMENT_SCENARIOS } from '../../results/formats/scenarios.ts';
import { calibrationMarkdown } from './calibration.ts';
import { CAPABILITY_PARTS } from './capabilities.ts';
import { checksMarkdown } from './checks.ts';
import { commandsMarkdown } from './commands.ts';
import { COMPARISON, type ComparedMode, comparisonInFull, comparisonInShort } from './comparison.ts';
import {
  crowdInFull,
  HUNDRED,
  hundredInShort,
  LIVE_CROWD,
  MOST_USERS,
  mostUsers,
  PAPER_GRID,
  paperBeside,
  paperUsers,
} from './crowd-results.ts';
import { DOCUMENT_RESULTS, documentsInFull, REPLAY, replayInShort } from './document-results.ts';
import { AGAINST_ITSELF, falseWordsMarkdown } from './false-words.ts';
import { frameworksMarkdown, knownIssuesMarkdown } from './frameworks.ts';
import { measuredRuns, measuredSearches, newestDocuments, newestMeasured, newestWords } from './measured.ts';
import { PRESENCE, presenceCosts, presenceMeans } from './presence.ts';
import { FAULT_EXPERIMENTS, resilienceMarkdown } from './resilience.ts';
import { VERSIONS, versionsBeside } from './versions.ts';

/**
 * What writes each part, by the name in its comments; null: what stands there stays. Links are those of a page in `docs/`,
 * and of the README for the comparison in short.
 */
export const PARTS: Readonly<Record<string, () => string | Promise<string | null>>> = {
  comparison: async () => orNull(await newestMeasured(COMPARISON, { mode: 'optquill' }), comparisonInShort),
  'comparison in full': () => comparisonOf('optquill'),
  'comparison without rendering': () => comparisonOf('noquill'),
  hundred: async () => orNull(await newestMeasured(HUNDRED), hundredInShort),
  'hundred in full': async () => orNull(await newestMeasured(HUNDRED), crowdInFull),
  'live crowd': async () => orNull(await newestMeasured(LIVE_CROWD), crowdInFull),
  'most users': async () => ofAll(await measuredSearches(MOST_USERS), mostUsers),
  'paper grid': async () => ofAll(await measuredRuns(PAPER_GRID), paperBeside),
  'paper users': paperUsers,
  'false words': async () => orNull(await newestWords(AGAINST_ITSELF), falseWordsMarkdown),
  ...documentParts(),
  frameworks: async () => frameworksMarkdown(await discoverFrameworks()),
  'presence means': async () => presenceMeans(await discoverFrameworks()),
  'presence costs': async () => orNull(await newestMeasured(PRESENCE), presenceCosts),
  ...Object.fromEntries(
    FAULT_EXPERIMENTS.map((name) => [
      `resilience ${name}`,
      async () => orNull(await newestMeasured(name), resilienceMarkdown),
    ]),
  ),
  versions: async () => orNull(await newestMeasured(VERSIONS), versionsBeside),
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
  async calibration() {
    const calibration = lastCalibration();
    return calibration === null ? null : calibrationMarkdown(calibration);
  },
  checks: checksMarkdown,
  fleets: fleetsMarkdown,
  commands: commandsMarkdown,
  ...CAPABILITY_PARTS,
};

async function comparisonOf(mode: ComparedMode): Promise<string | null> {
  return orNull(await newestMeasured(COMPARISON, { mode }), (run) => comparisonInFull(run, mode));
}

const OPTION_COLUMNS = ['property', 'default', 'value', 'what it is'];

/** Of the document scenarios: `documents b4`, what an experiment gave; `replay options`, what its file may say. */
function documentParts(): typeof PARTS {
  const results = Object.keys(DOCUMENT_RESULTS).map(
    (name) => [`documents ${name}`, async () => orNull(await newestDocuments(name), documentsInFull)] as const,
  );
  const options = DOCUMENT_SCENARIOS.map(
    (name) => [`${name} options`, () => markdownTable(OPTION_COLUMNS, optionsTable(documentOptions(name)))] as const,
  );
  const inShort = ['replay in short', async () => orNull(await newestDocuments(REPLAY), replayInShort)] as const;
  return Object.fromEntries([...results, ...options, inShort]);
}

function enginesMarkdown(engines: readonly DescribedEngine[]): string {
  const rows = engines.map(({ name, version, kind, observes, algorithm, licence, isNative }) => [
    `\`${name}\``,
    version,
    kind,
    isNative ? 'Rust' : 'JavaScript',
    observes.join(', '),
    algorithm,
    licence,
  ]);
  return markdownTable(['engine', 'version', 'kind', 'in', 'offers', 'algorithm', 'licence'], rows);
}

function ofAll<Run>(
  runs: readonly Run[],
  write: (runs: readonly Run[]) => string | Promise<string>,
): string | null | Promise<string> {
  return runs.length === 0 ? null : write(runs);
}

function orNull<Run>(run: Run | null, write: (run: Run) => string | Promise<string>): string | null | Promise<string> {
  return run === null ? null : write(run);
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

const PART = /^(<!-- ([a-z0-9 -]+): written by npm run docs -->)\n[\s\S]*?^(<!-- end of \2 -->)$/gm;

/** The names of the parts that a text has a place for. */
export function partsOf(text: string): string[] {
  return [...text.matchAll(PART)].map((match) => match[2]!);
}

/**
 * The text with its generated parts as they must be now.
 *
 * @throws Error where it has a place for a part that nothing writes
 */
export async function withCurrentParts(text: string): Promise<string> {
  const written = new Map<string, string | null>();
  for (const name of partsOf(text)) {
    const write = PARTS[name];
    if (write === undefined) throw new Error(`nothing writes "${name}"; there are: ${Object.keys(PARTS).join(', ')}`);
    written.set(name, await write());
  }
  return text.replaceAll(PART, (part, start, name, end) => {
    const content = written.get(name) ?? null;
    return content === null ? part : `${start}\n\n${content}\n\n${end}`;
  });
}
