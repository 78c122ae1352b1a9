/** A run as a page offers it: by its question, its time and its place, with the conditions that it was measured under. Browser-safe. */

import { countOf } from '../figures/figure-text.ts';
import { describeSpeed } from '../figures/machine-speed.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { namingParameters } from '../scenarios/cell-name.ts';
import type { PageRun } from './page-data.ts';

/** The part of an experiment that pages tell. */
interface ToldExperiment {
  trace?: string;
  trials?: number;
  durations?: { warmUpMs: number; measureMs: number };
  typing?: { keysPerSecond?: number; rhythm?: string };
  network?: { groups?: { link?: { oneWayDelayMs?: number } }[] };
  fleet?: { on?: string };
  affinity?: string;
}

const SECOND = 1000;

/**
 * @param run.asked its question, such as `first-question comparison, young`; then what else tells it from others, such as `3 blocks`
 */
export function pageRun(run: {
  name: string;
  summary: MeasuredRun;
  experiment: object;
  asked: readonly string[];
  isSubmitted?: boolean;
}): Omit<PageRun, 'files' | 'file' | 'campaign' | 'beware'> {
  const { name, summary, experiment, asked, isSubmitted = false } = run;
  const { startedAt, environment } = summary;
  const { cpu, cores } = environment as { cpu?: string; cores?: number };
  const machine = [cpu ?? 'unknown', ...(cores === undefined ? [] : [countOf(cores, 'core')])].join(', ');
  return {
    name,
    title: [...asked, startedAt.slice(0, 10), machine, ...(isSubmitted ? ['submitted'] : [])].join(' · '),
    experiment: summary.experiment,
    startedAt,
    trace: (experiment as ToldExperiment).trace ?? '',
    machine: `${machine}, ${describeSpeed(summary.cells)}`,
    conditions: conditionsOf(experiment as ToldExperiment, summary),
    isSubmitted,
  };
}

/** The conditions that most often tell runs apart; the plan has all. */
function conditionsOf(experiment: ToldExperiment, summary: MeasuredRun): string[] {
  const { durations, trials, typing, network, fleet, affinity } = experiment;
  const delays = [...new Set(network?.groups?.flatMap(({ link }) => link?.oneWayDelayMs ?? []))];
  const { chrome, node, scriptorium } = summary.environment;
  const conditions = [
    durations && `warm-up ${durations.warmUpMs / SECOND} s`,
    durations && `measured ${durations.measureMs / SECOND} s`,
    trials !== undefined && countOf(trials, 'trial'),
    typing?.keysPerSecond !== undefined && `${typing.keysPerSecond} keys a second, ${typing.rhythm ?? 'regular'}`,
    delays.some((delay) => delay > 0) && `one-way delay ${delays.join(' or ')} ms`,
    fleet?.on !== undefined && `fleet ${fleet.on}`,
    affinity === 'document' && 'all users at one server',
    ...constantParameters(summary),
    chrome,
    node && `Node ${node}`,
    scriptorium && `Scriptorium ${scriptorium}`,
  ];
  return conditions.filter((condition) => typeof condition === 'string');
}

/** Of documents, parameters that all cells share. */
function constantParameters(run: MeasuredRun): string[] {
  const [first] = run.cells;
  if (first === undefined) return [];
  const naming = namingParameters(run);
  const constant = SCENARIOS[run.scenario].parameters.filter(
    (parameter) => !naming.includes(parameter) && Object.hasOwn(first.parameters, parameter.name),
  );
  return constant.map(({ name }) => `${name} ${first.parameters[name]}`);
}
