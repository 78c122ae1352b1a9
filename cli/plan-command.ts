/** `plan`: prints an experiment's trials without running them. */
import type { Command } from 'commander';
import { formatDocumentPlan, planDocuments } from '../documents/plan.ts';
import { crowdLines } from '../harness/crowd/ready-crowd.ts';
import type { DocumentExperiment } from '../harness/experiment/document-experiments.ts';
import type { Experiment } from '../harness/experiment/experiment.ts';
import { loadAnyExperiment } from '../harness/experiment/experiment-file.ts';
import { addExperimentOptions, overridesFrom } from '../harness/experiment/experiment-options.ts';
import { formatPlan, makePlan } from '../harness/experiment/plan.ts';
import { loadFleet } from '../harness/fleets/fleet-kind.ts';
import { thisMachine } from '../harness/machine/capacity.ts';
import { listTraces } from '../traces/store.ts';

export function addPlanCommand(program: Command): void {
  addExperimentOptions(
    program
      .command('plan')
      .description('print the trials of an experiment, their duration, and the load that this machine can carry')
      .argument('<file>', 'the experiment: a YAML file')
      .option('--all', 'list every trial, in the order in which they run'),
  ).action(async (file: string, flags: Record<string, unknown>) => {
    const { scenario, experiment } = await loadAnyExperiment({ path: file, overrides: overridesFrom(flags) });
    const all = flags.all === true;
    console.log(
      scenario === 'typing' ? await describeTyping(experiment, all) : await describeScenario(experiment, all),
    );
  });
}

async function describeTyping(experiment: Experiment, all: boolean): Promise<string> {
  const { planLines } = await loadFleet(experiment.fleet.on);
  const fleetLines = [...(await crowdLines(experiment)), ...planLines(experiment, thisMachine())];
  const plan = formatPlan(experiment, makePlan(experiment), fleetLines, { all });
  const trace = (await listTraces()).find(({ name }) => name === experiment.trace);
  if (trace?.state !== 'not fetched') return plan;
  return `${plan}\nnote: the trace "${trace.name}" is not here yet: ./scriptorium traces fetch ${trace.name}`;
}

async function describeScenario(experiment: DocumentExperiment, all: boolean): Promise<string> {
  const notes: string[] = [];
  const plan = await planDocuments(experiment, (text) => notes.push(text));
  return [await formatDocumentPlan(experiment, plan, { all }), ...notes].join('\n');
}
