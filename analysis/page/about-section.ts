/** The sections about a report's runs: their experiments, their machines, and the method, in short. */
import {
  MAX_MEDIAN_END_TO_END_LATENCY_MS,
  MAX_MEDIAN_LOCAL_LATENCY_MS,
  MIN_THROUGHPUT_PERCENT,
  P95_FACTOR,
} from '../figures/criterion.ts';
import { countOf } from '../figures/figure-text.ts';
import { isObject, leavesOf } from '../figures/nested.ts';
import { INTERVAL_MEANING } from '../statistics/interval.ts';
import { type Content, html, type Markup } from '../tables/markup.ts';
import { section } from './shell.ts';
import { wordLink } from './words-section.ts';

export interface ReportedRun {
  /** From the report's folder to the run's, with `/`; `.` where the report lies in it. */
  directory: string;
  experiment: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  environment: Record<string, unknown>;
  /** The experiment as resolved, every default filled in. */
  plan: Record<string, unknown>;
  plannedTrials: number;
  finishedTrials: number;
  validTrials: number;
}

export function aboutSection(runs: readonly ReportedRun[]): Markup {
  const details = runs.map((run, index) => runDetails(run, runs.length > 1 ? `Run ${index + 1}: ` : ''));
  return section('runs', 'Environment and versions', details);
}

function runDetails(run: ReportedRun, prefix: string): Markup {
  const { packages, frameworks, ...machine } = run.environment;
  return html`
<h3>${prefix}${run.experiment}</h3>
<div class="columns">
  ${facts([
    ['started', run.startedAt],
    ['folder', run.directory],
    ['trials', `${run.plannedTrials} planned, ${run.finishedTrials} finished, ${run.validTrials} valid`],
    ...flatten(machine),
    ...frameworkVersions(frameworks),
  ])}
  <div>
    <details><summary>The experiment, every default filled in</summary>${facts(flatten(run.plan))}</details>
    ${isObject(packages) ? html`<details><summary>Packages</summary>${facts(flatten(packages))}</details>` : null}
  </div>
</div>`;
}

/** Without the colour: the charts show it. */
function frameworkVersions(frameworks: unknown): [string, string][] {
  if (!isObject(frameworks)) return [];
  return Object.entries(frameworks).map(([name, about]) => [name, isObject(about) ? String(about.version) : 'unknown']);
}

function facts(pairs: readonly (readonly [string, string])[]): Content {
  return html`<dl>${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Nested properties by their path: `typing.keysPerSecond`, `network.groups[0].share`. */
function flatten(value: object): [string, string][] {
  return leavesOf(value).flatMap(([name, inner]): [string, string][] => {
    if (!Array.isArray(inner)) return [[name, String(inner ?? 'none')]];
    if (!inner.some(isObject)) return [[name, inner.join(', ')]];
    return inner.flatMap((each, index) => flatten({ [`${name}[${index}]`]: each }));
  });
}

export function methodSection(): Markup {
  return section(
    'method',
    'Method, in short',
    html`<ul>
    <li>Each simulated ${wordLink('user')} sits at an ${wordLink('editor')} of its own and replays its stretch of a recorded editing history, one edit
    at a fixed time after the other. An edit that is more than 1 s late is given up. <b>Throughput</b> is what was typed,
    of what fell due.</li>
    <li>Now and then a user types a ${wordLink('sigil')}, five characters that exist nowhere else. <b>Local latency</b> runs from sending
    its last key to the frame that shows it on the user’s own screen, <b>end-to-end latency</b> to the frame that shows it
    on another user’s, corrected by the measured offset of the clocks.</li>
    <li><b>Fully functional</b>: throughput at least ${MIN_THROUGHPUT_PERCENT} %, median local latency at most
    ${MAX_MEDIAN_LOCAL_LATENCY_MS} ms, median end-to-end latency at most ${MAX_MEDIAN_END_TO_END_LATENCY_MS / 1000} s, 95th
    percentiles at most ${P95_FACTOR} times those (Weidner et al. 2023), and enough of the sigils arrived.
    <b>Carried</b> is the largest number of users for which that holds.</li>
    <li>A ${wordLink('trial')} whose ${wordLink('replica', 'replicas')}, editors or screens end with different documents, or whose load generator was late itself,
    is <b>not valid</b>: it is listed with its reason, and none of its figures are used.</li>
    <li>Samples of a ${wordLink('cell')}’s valid trials are pooled before quantiles are taken. Intervals are 95 % intervals over trials
    (Student’s t, on the log scale for latencies), from three trials on. Bands and whiskers in the charts show them.
    ${INTERVAL_MEANING} Throughput ends at 100 % and is skewed, so its intervals are too narrow: of 100 they hold the truth
    85 to 90 times where every trial loses some edits, 60 to 83 times where most trials lose none (simulated).</li>
    <li>Charts over time are in steps of ten seconds, pooled over the valid trials; a latency belongs to the step in
    which its sigil was sent.</li>
  </ul>
  <p class="note">The data of this page is embedded in it, as JSON in the element <code>#report-data</code>.</p>`,
  );
}

/** `compare · 20 Nov 2026, 20:54 UTC · AMD EPYC, 2 cores`, of each run. */
export function runLine({ experiment, startedAt, environment, finishedTrials, validTrials }: ReportedRun): string {
  const { cpu, cores, fleet } = environment;
  return [
    experiment,
    startedAt.replace('T', ' ').replace(/(:\d\d)(:\d\d)?(\.\d+)?Z$/, '$1 UTC'),
    typeof fleet === 'string' ? `fleet ${fleet}` : '',
    typeof cpu === 'string' ? `${cpu}${typeof cores === 'number' ? `, ${countOf(cores, 'core')}` : ''}` : '',
    `${validTrials} of ${countOf(finishedTrials, 'trial')} valid`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
