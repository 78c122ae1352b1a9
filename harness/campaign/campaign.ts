/** The campaign file: YAML in, a resolved campaign out, or every problem at once. A campaign measures in blocks. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { isObject } from '../../analysis/figures/nested.ts';
import { didYouMean } from '../../results/nearest.ts';
import { UserError } from '../../results/user-error.ts';
import { companiesOf } from '../experiment/company.ts';
import { experiment } from '../experiment/experiment.ts';
import { type LoadedExperiment, loadAnyExperiment } from '../experiment/experiment-file.ts';
import { jsonSchemaOf, type Override } from '../experiment/experiment-options.ts';
import {
  block,
  duration,
  list,
  type Path,
  plain,
  property,
  trueFalse,
  type ValueOf,
  wholeNumber,
  word,
} from '../experiment/property.ts';
import { experimentPath, readyMadeNames } from '../experiment/ready-made.ts';
import type { Problem } from '../experiment/rules/rule.ts';
import { readWritten, resolveBlock, type Source } from '../experiment/written-file.ts';

const FOLDER = resolve(import.meta.dirname, '../campaigns');
const FILE = { what: 'the campaign file', example: 'harness/campaigns/first-question.yaml' };

const { name } = experiment.properties;
const properties = 'a block of properties such as "users: 16", as an experiment file has them';

const entry = block({
  name: property(
    { ...name, written: name.resolved },
    { description: 'Names the entry, and its folder in each block.' },
  ),
  experiment: property(word('the name or the file of an experiment'), {
    description: 'The experiment: a file, seen from the campaign file, or a name that list --experiments shows.',
  }),
  with: property(plain(properties, z.record(z.string(), z.unknown(), { error: properties })), {
    description: 'Properties that replace those of the experiment.',
    default: {},
  }),
  optional: property(trueFalse(), {
    description:
      'true: it is left out if the frameworks that a command names in place of the file’s cannot do it. false: that is an error.',
    default: false,
  }),
});

const part = block({
  name: property({ ...name, written: name.resolved }, { description: 'Names the part, and its folder.' }),
  question: property(word('the question in a sentence'), { description: 'The question that the part answers.' }),
  blocks: property(wholeNumber(1, 1000), {
    description: 'How often each cell is measured, once in each block; intervals need at least 3.',
    default: 5,
  }),
  apart: property(duration({ zero: true }), {
    description:
      'How long after the end of a block the next one may begin: intervals over blocks tell what differs between days only if they lie that far apart.',
    default: '0s',
  }),
  deposit: property(trueFalse(), {
    description:
      'true: the samples of its latencies are kept beside the figures, so that anyone can compute these again.',
    default: false,
  }),
  ladder: property(trueFalse(), {
    description:
      'true: each entry is one count of users, and each framework tries them in this order until two trials of three do not hold; larger ones it leaves out, and smaller ones as soon as a count holds, but for one that is smaller than all before it.',
    default: false,
  }),
  entries: property(list(entry), { description: 'What a block measures: every cell of every entry, in random order.' }),
});

export const campaign = block(
  {
    name: property({ ...name, written: name.resolved }, { description: 'Names the campaign, and its folder.' }),
    parts: property(list(part), { description: 'The parts; their blocks take turns.' }),
  },
  'a block of properties such as "name: mine"',
);

type Written = ValueOf<typeof campaign>;

interface CampaignEntry {
  name: string;
  loaded: LoadedExperiment;
}

export type CampaignPart = Omit<Written['parts'][number], 'entries'> & { entries: CampaignEntry[] };

export interface Campaign {
  name: string;
  parts: CampaignPart[];
}

/** Names of the files of `harness/campaigns/`. */
export function readyMadeCampaigns(): string[] {
  return readdirSync(FOLDER).map((file) => basename(file, '.yaml'));
}

/** For editors that speak YAML. */
export function campaignJsonSchema(): Record<string, unknown> {
  return { title: 'Scriptorium campaign', ...jsonSchemaOf(campaign.written) };
}

/**
 * Reads and validates a campaign file and all of its experiments.
 *
 * @param written a YAML file, or the name of one in `harness/campaigns/`
 * @param options.frameworks replace those of every entry
 * @throws UserError (exit code 2) that lists all problems, each with its place
 */
export async function loadCampaign(
  written: string,
  { isDry = false, frameworks }: { isDry?: boolean; frameworks?: readonly string[] } = {},
): Promise<Campaign> {
  const path = campaignPath(written);
  const { input, source } = await readWritten(path, FILE);
  const { parts, ...own } = resolveBlock<Written>(input, { block: campaign, source, check: problemsOf });
  const wrong: UserError[] = [];
  const loaded: CampaignPart[] = [];
  for (const [partIndex, { entries, ...rest }] of parts.entries()) {
    const all: CampaignEntry[] = [];
    for (const [index, each] of entries.entries()) {
      const overrides = leavesOf(each.with, source, ['parts', partIndex, 'entries', index, 'with']);
      const load = (named?: readonly string[]) =>
        loadEntry(each, {
          ...{ name: `${own.name}-${rest.name}-${each.name}`, path, isDry, isRung: rest.ladder },
          overrides: [...overrides, ...frameworksFrom(named)],
        });
      await loadAble(load, { optional: each.optional, frameworks }).then(
        (experiment) => {
          if (experiment !== null) all.push({ name: each.name, loaded: experiment });
        },
        (error) => {
          if (!(error instanceof UserError)) throw error;
          const { exitCode } = error;
          wrong.push(new UserError(`${path}: part ${rest.name}, entry ${each.name}: ${error.message}`, { exitCode }));
        },
      );
    }
    const twice = rest.ladder ? rungsTwice(all) : [];
    wrong.push(...twice.map((text) => new UserError(`${path}: part ${rest.name}, ${text}`)));
    loaded.push({ ...rest, entries: all });
  }
  if (wrong.length > 0) {
    throw new UserError(wrong.map(({ message }) => message).join('\n'), { exitCode: wrong[0]!.exitCode });
  }
  return { ...own, parts: loaded };
}

/** A framework's trials of a count are one rung: those of one entry would count for another. */
function rungsTwice(entries: readonly CampaignEntry[]): string[] {
  const rungs = entries.flatMap(({ name, loaded: { scenario, experiment } }) => {
    if (scenario !== 'typing') return [];
    return experiment.frameworks.map((framework) => ({ name, rung: `${framework} with users: ${experiment.users}` }));
  });
  return rungs.flatMap(({ name, rung }, index) => {
    const first = rungs.find((each) => each.rung === rung)!;
    if (first === rungs[index]) return [];
    return `entry ${name}: ${rung} is a rung already, of entry ${first.name}; write another count, or a part of its own`;
  });
}

function frameworksFrom(named: readonly string[] | undefined): Override[] {
  return named === undefined ? [] : [{ flag: 'the command line', path: ['frameworks'], value: named }];
}

/**
 * @returns null if it is optional, and these frameworks cannot do what it asks
 * @throws UserError (2) as `loadAnyExperiment` does
 */
async function loadAble(
  load: (frameworks?: readonly string[]) => Promise<LoadedExperiment>,
  { optional, frameworks }: { optional: boolean; frameworks: readonly string[] | undefined },
): Promise<LoadedExperiment | null> {
  return load(frameworks).catch(async (error) => {
    if (!optional || frameworks === undefined || !(error instanceof UserError)) throw error;
    // With its own frameworks, whatever is wrong is wrong in the file.
    await load();
    return null;
  });
}

/** @throws UserError (2) if it is neither a file nor the name of a ready-made campaign */
function campaignPath(written: string): string {
  if (written === '-' || statSync(written, { throwIfNoEntry: false })?.isDirectory() === false) return written;
  const names = readyMadeCampaigns();
  if (names.includes(written)) return join(FOLDER, `${written}.yaml`);
  const advice = `give a YAML file, or one of: ${names.join(', ')}`;
  throw new UserError(`there is no campaign "${written}"${didYouMean(written, names)}; ${advice}`);
}

async function loadEntry(
  { experiment: named }: { experiment: string },
  options: { name: string; path: string; isDry: boolean; isRung: boolean; overrides: Override[] },
): Promise<LoadedExperiment> {
  const beside = resolve(dirname(options.path), named);
  const file = !readyMadeNames().includes(named) && existsSync(beside) ? beside : experimentPath(named);
  const { isDry, overrides } = options;
  const loaded = await loadAnyExperiment({ path: file, overrides, isDry });
  if (loaded.scenario === 'typing' && loaded.experiment.base !== null) {
    const advice = 'run it by itself, with --against or base';
    throw new UserError(
      `the experiment ${named} compares with base ${loaded.experiment.base}, which a campaign does not; ${advice}`,
    );
  }
  const isOfOne =
    loaded.scenario === 'typing' &&
    loaded.experiment.users.length * loaded.experiment.modes.length * companiesOf(loaded.experiment).length === 1;
  if (options.isRung && !isOfOne) {
    const advice = 'write one of each, or an entry for each';
    throw new UserError(
      `an entry of a ladder is of people who type, as one cell of each framework: one count of users, mode, store, number of servers, and company; ${advice}`,
    );
  }
  return { ...loaded, experiment: { ...loaded.experiment, name: options.name, trials: 1 } } as LoadedExperiment;
}

/** Each value with its place in the campaign file, for messages. */
function leavesOf(value: unknown, source: Source, within: Path, path: string[] = []): Override[] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, each]) => leavesOf(each, source, [...within, key], [...path, key]));
  }
  const at = source.placeOf(within);
  const place = at === null ? source.name : `${source.name}:${at.line}:${at.column}`;
  return [{ flag: `${place} ${path.join('.')}`, path, value }];
}

/** Blocks settle how often a cell runs; and the campaign, the name of a run. */
const SETTLED = ['name', 'trials', 'base', 'scenario'];
const LONGEST_NAME = 64;

/** Combinations that cannot run. */
function problemsOf({ name, parts }: Written): Problem[] {
  return [
    ...repeated(parts.map((each, index) => ({ name: each.name, path: ['parts', index, 'name'] }))),
    ...parts.flatMap(({ name: part, entries }, partIndex) => {
      const pathOf = (index: number) => ['parts', partIndex, 'entries', index];
      const named = entries.map((each, index) => ({ name: each.name, path: [...pathOf(index), 'name'] }));
      const long = named.filter((each) => `${name}-${part}-${each.name}`.length > LONGEST_NAME);
      const settled = entries.flatMap((each, index) =>
        SETTLED.filter((key) => Object.hasOwn(each.with, key)).map((key): Problem => {
          const text = 'a campaign settles it: each cell runs once in each block; leave it out, and write "blocks"';
          return { paths: [[...pathOf(index), 'with', key]], text };
        }),
      );
      const text = `with the names of campaign and part it is longer than ${LONGEST_NAME} characters; write a shorter one`;
      return [...repeated(named), ...long.map(({ path }): Problem => ({ paths: [path], text })), ...settled];
    }),
  ];
}

function repeated(named: readonly { name: string; path: Path }[]): Problem[] {
  const again = named.filter(({ name }, index) => named.findIndex((each) => each.name === name) < index);
  return again.map(({ name, path }) => ({ paths: [path], text: `"${name}" stands twice; write another name` }));
}
