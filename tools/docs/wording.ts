/** How pages name a machine, a time and a run, and how their lines break. */

import { countOf } from '../../analysis/figures/figure-text.ts';
import { describeSpeed, nameOfMachine } from '../../analysis/figures/machine-speed.ts';
import { typingCells } from '../../analysis/scenarios/cell.ts';
import type { KeptRun } from '../../analysis/site/kept-file.ts';
import { formatLink, type NetworkGroup } from '../../harness/experiment/network.ts';
import { formatDuration } from '../../harness/experiment/units.ts';
import { addsNothing } from '../../infra/network/link.ts';
import { wrapWords } from '../../results/text-table.ts';

/** The README is read in any terminal. */
const COLUMNS = 118;

/** The machine and how it was measured there, in a line. */
export function conditionsOf(
  { plan, summary, campaign, areSpeedsAlike = true, began = [summary.startedAt] }: KeptRun,
  { hasDate = true } = {},
): string {
  const { trace, trials = 0, durations } = plan.experiment;
  const { memoryMiB, os, chrome, node } = summary.environment;
  const all = [
    [os, ...(typeof chrome === 'string' ? [chrome] : []), `Node ${String(node).replace(/^v/, '')}`].join(', '),
    ...(trace === undefined ? [] : [`the trace \`${trace}\``]),
    ...(durations === undefined
      ? []
      : [`${formatDuration(durations.warmUpMs)} of warm-up and ${formatDuration(durations.measureMs)} measured`]),
    trialsOf(summary, trials, campaign === undefined ? 'trial' : 'block'),
    ...(hasDate ? [daysOf(began)] : []),
  ];
  // The mean over blocks on machines that differ is the speed of none; the warning has each block's.
  const speed = areSpeedsAlike ? describeSpeed(summary.cells) : 'speeds that differ by block';
  return `${nameOfMachine(summary.environment)}, ${speed}, with ${Math.round(Number(memoryMiB) / 1024)} GiB (${all.join('; ')})`;
}

/** As planned, or from the fewest on that a cell has, if the run of users was stopped before its end. */
function trialsOf(summary: KeptRun['summary'], planned: number, noun: string): string {
  const fewest = Math.min(planned, ...typingCells(summary).map(({ trials }) => trials));
  return `${fewest < planned ? `${fewest} to ` : ''}${countOf(planned, noun)} of each`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A day for people, such as 22 November 2026. */
export function dateOf(time: string): string {
  return DAY.format(new Date(time));
}

/** From the first day to the last, such as 1 – 3 December 2026. */
export function daysOf(times: readonly string[]): string {
  const sorted = times.toSorted();
  // Its spaces are thin ones.
  return DAY.formatRange(new Date(sorted[0]!), new Date(sorted.at(-1)!)).replaceAll(/\s/g, ' ');
}

/** A run among others, such as `21 Nov, 22:16`. */
export function whenOf(time: string): string {
  return new Date(time).toLocaleString('en-GB', {
    ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' },
  });
}

export function codeBlock(text: string): string {
  return ['```', text, '```'].join('\n');
}

/** Breaks lines between words before they become too long. */
export function wrap(text: string): string {
  return wrapWords(text, COLUMNS);
}

/** The same for an item of a list. */
export function wrapItem(item: string): string {
  return wrap(item).replaceAll('\n', '\n  ');
}

/** A line breaks with the messages on it, so runs differ by that; empty if the network adds nothing. */
export function networkOf({ plan }: KeptRun): string {
  const { groups } = plan.experiment.network as { groups: NetworkGroup[] };
  const links = [...new Set(groups.filter(({ link }) => !addsNothing(link)).map(({ link }) => formatLink(link)))];
  return links.length === 0 ? '' : `, with ${links.join(' or ')} to the server`;
}
