/** The result of a search, and its forms: table, JSON, CSV, Markdown and chart. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limit } from '../../analysis/cell/gave-out.ts';
import { maxUsersChart } from '../../analysis/charts/chart-model.ts';
import { coloursOf } from '../../analysis/charts/palette.ts';
import { svgFile } from '../../analysis/charts/svg-chart.ts';
import { NOTHING } from '../../analysis/figures/figure-text.ts';
import { SPEED_FIGURES, warnOfSpeeds } from '../../analysis/figures/machine-speed.ts';
import { groupByTier, TIERS, type Tier, type TierGroup } from '../../analysis/scenarios/cell.ts';
import { renderCsv, renderMarkdown, renderText } from '../../analysis/tables/render.ts';
import { left, right } from '../../analysis/tables/table.ts';
import { MAX_FILE, MAX_MARKDOWN_FILE } from '../../results/formats/run-directory.ts';
import { writeFileAtomically, writeJson } from '../../results/formats/write-file.ts';
import { readEnvironment } from '../../results/run-folder/run-files.ts';
import type { Criterion } from './outcome.ts';
import type { Outcome, SearchState } from './search.ts';

const MAX_SCHEMA_VERSION = 1;
const MAX_CSV_FILE = 'max.csv';

export interface MaxUsersFound extends Omit<SearchState, 'next'> {
  framework: string;
  version: string;
  tier: Tier;
  mode: string;
  /** True if the search came to its end; otherwise a later one continues it. */
  isOver: boolean;
  bounds: { fewest: number; most: number };
  /** Why the criterion did not hold at the upper end, or is not known there. */
  why: string[];
  /** Resources that were used up there, the most used first. */
  gaveOut: Limit[];
  /** In the order in which they ran. */
  trials: {
    users: number;
    trial: number;
    outcome: Outcome;
    why: string[];
    machineSpeed: { oneCore: number | null; allCores: number | null };
  }[];
  directory: string;
}

/** `37, not 38`; what the search does not know, it says: before its end it has no answer. */
export function describeMax({
  largestHeld,
  end,
  isOver,
  bounds,
}: Pick<MaxUsersFound, 'largestHeld' | 'end' | 'isOver' | 'bounds'>): string {
  if (!isOver) return describeUnfinished({ largestHeld, end });
  if (end === null) return largestHeld === null ? NOTHING : `at least ${largestHeld}`;
  if (end.outcome === 'unknown') {
    return largestHeld === null ? 'not known' : `at least ${largestHeld}, not known from ${end.users}`;
  }
  return largestHeld === null ? `fewer than ${bounds.fewest}` : `${largestHeld}, not ${end.users}`;
}

function describeUnfinished({ largestHeld, end }: Pick<MaxUsersFound, 'largestHeld' | 'end'>): string {
  const held = largestHeld === null ? [] : [`${largestHeld} held`];
  const missed = end === null ? [] : [end.outcome === 'unknown' ? `${end.users} not known` : `${end.users} did not`];
  const soFar = [...held, ...missed].join(', ');
  return soFar === '' ? 'unfinished' : `unfinished: ${soFar} so far`;
}

/** The resource that gave out first, in a word; says so if none was used up. */
export function describeLimit({ largestHeld, end, gaveOut, isOver, bounds }: MaxUsersFound): string {
  // Memory may hold fewer now than have been tried.
  if (end === null) return isOver ? `nothing up to ${Math.max(bounds.most, largestHeld ?? 0)} users` : NOTHING;
  return gaveOut.length === 0 ? 'nothing was used up' : gaveOut.map(({ what }) => what).join(', then ');
}

/** Evidence of the resource that gave out, and of its effect on users. */
function evidenceOf({ gaveOut, why }: MaxUsersFound): string {
  return [...new Set([...gaveOut.flatMap(({ evidence }) => evidence), ...why])].join('; ');
}

const COLUMNS = [left('framework'), left('mode'), left('most users'), right('trials'), left('gave out')];

/** For the terminal, with the evidence below. */
export function formatFound(found: readonly MaxUsersFound[], criterion: Criterion): string {
  const evidence = found.flatMap((item) => {
    const text = evidenceOf(item);
    return text === '' ? [] : [`  ${item.framework}, ${item.end!.users} users: ${text}`];
  });
  const tables = groupByTier(found).map(({ title, items }) => {
    const table = renderText({ columns: COLUMNS, rows: items.map(rowOf) });
    return title === null ? table : `${title}\n\n${table}`;
  });
  const foot = [evidence.join('\n'), warnings(found).join('\n'), describeCriterion(criterion)].filter(Boolean);
  return [...tables, ...foot].join('\n\n');
}

/** Sittings of one search may have been on machines that differ. */
function warnings(found: readonly MaxUsersFound[]): string[] {
  const tried = found.filter(({ trials }) => trials.length > 0);
  const groups = tried.map(({ framework, trials }) => ({ name: framework, cells: trials.map(measuredAt) }));
  return warnOfSpeeds(groups).map((warning) => `Beware: ${warning}`);
}

function measuredAt({ machineSpeed }: MaxUsersFound['trials'][number]) {
  return {
    figures: { [SPEED_FIGURES.oneCore]: machineSpeed.oneCore, [SPEED_FIGURES.allCores]: machineSpeed.allCores },
  };
}

function rowOf(found: MaxUsersFound): string[] {
  const { framework, mode, trials } = found;
  return [framework, mode, describeMax(found), String(trials.length), describeLimit(found)];
}

function describeCriterion(criterion: Criterion): string {
  if (criterion.name === 'where') return `criterion: ${criterion.conditions.map(({ text }) => text).join(' and ')}`;
  return criterion.name === 'paper' ? 'criterion: fully functional, as the paper has it' : 'criterion: smooth';
}

/** Of one tier, or of each. */
const CHARTS = ['max.svg', ...TIERS.map((tier) => `max-${tier}.svg`)];

function chartFile({ tier, title }: Pick<TierGroup<unknown>, 'tier' | 'title'>): string {
  return title === null ? 'max.svg' : `max-${tier}.svg`;
}

/** The names of the files that `writeFound` leaves. */
export function filesOf(found: readonly MaxUsersFound[]): string[] {
  return [MAX_FILE, MAX_CSV_FILE, MAX_MARKDOWN_FILE, ...groupByTier(found).map(chartFile)];
}

/**
 * Writes `max.json`, `max.csv`, `max.md` and `max.svg`; of several tiers a chart each, `max-library.svg`. Charts of an earlier state
 * that had other tiers go.
 */
export async function writeFound(
  directory: string,
  found: readonly MaxUsersFound[],
  criterion: Criterion,
): Promise<void> {
  const write = (name: string, content: string) => writeFileAtomically(join(directory, name), content);
  const frameworks = found.map(({ directory: _, ...rest }) => ({ ...rest, answer: describeMax(rest) }));
  await writeJson(join(directory, MAX_FILE), {
    schemaVersion: MAX_SCHEMA_VERSION,
    criterion: describeCriterion(criterion),
    frameworks,
  });
  await write(MAX_CSV_FILE, maxCsv(found));
  await write(MAX_MARKDOWN_FILE, maxMarkdown(found, criterion));
  const colours = coloursOf([await readEnvironment(directory)]);
  for (const { tier, title, items } of groupByTier(found)) {
    const heading = ['Most users', title, describeCriterion(criterion)].filter((text) => text !== null).join(', ');
    const carried = items.map((item) => ({ ...item, answer: item.isOver ? describeMax(item) : 'unfinished' }));
    await write(chartFile({ tier, title }), svgFile(maxUsersChart(carried, { title: heading, colours })));
  }
  const written = filesOf(found);
  for (const name of CHARTS) if (!written.includes(name)) await rm(join(directory, name), { force: true });
}

function maxCsv(found: readonly MaxUsersFound[]): string {
  const rows = found.map(({ framework, version, tier, mode, largestHeld, end, isOver, bounds, gaveOut }) => ({
    ...{ framework, version, tier, mode, answer: describeMax({ largestHeld, end, isOver, bounds }), largestHeld },
    smallestMissed: end?.outcome === 'missed' ? end.users : null,
    unknownFrom: end?.outcome === 'unknown' ? end.users : null,
    over: isOver,
    gaveOut: gaveOut.map(({ what }) => what).join('; '),
  }));
  return renderCsv(
    Object.keys(rows[0] ?? {}),
    rows.map((row) => Object.values(row)),
  );
}

function maxMarkdown(found: readonly MaxUsersFound[], criterion: Criterion): string {
  const tables = groupByTier(found).map(({ title, items }) => {
    const table = renderMarkdown({
      columns: [...COLUMNS, left('evidence')],
      rows: items.map((item) => [...rowOf(item), evidenceOf(item) || NOTHING]),
    });
    return title === null ? table : `**${title}**\n\n${table}`;
  });
  return `${[describeCriterion(criterion), ...warnings(found), ...tables].join('\n\n')}\n`;
}
