/** `run` and `plan` of document scenarios. */
import { join } from 'node:path';
import { formatDocumentTable } from '../analysis/scenarios/table.ts';
import { renderCaptioned } from '../analysis/tables/render.ts';
import { formatDocumentPlan, planDocuments } from '../documents/plan.ts';
import { runDocuments } from '../documents/run.ts';
import type { DocumentExperiment } from '../harness/experiment/scenarios/scenarios.ts';
import { REPORT_FILE } from '../results/formats/run-directory.ts';
import { ownRunFolder } from '../results/run-folder/run-owner.ts';
import { interruptOnSignals } from './interrupt.ts';
import { outputDirectory, shortPath } from './output-directory.ts';

interface DocumentRunFlags {
  out?: string;
  resume?: boolean;
  json?: boolean;
}

export async function printDocumentPlan(experiment: DocumentExperiment, options: { all: boolean }): Promise<void> {
  const notes: string[] = [];
  const plan = await planDocuments(experiment, (text) => notes.push(text));
  console.log([await formatDocumentPlan(experiment, plan, options), ...notes].join('\n'));
}

/** Runs with progress on stderr, until it ends or the person stops it; prints the table, or the summary. */
export async function runDocumentsAndPrint(experiment: DocumentExperiment, options: DocumentRunFlags): Promise<void> {
  const { out, resume = false, json = false } = options;
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const plan = await planDocuments(experiment, say);
  const directory = await outputDirectory(experiment.name, out);
  const where = shortPath(directory);
  await using _owner = await ownRunFolder(directory);
  const interrupt = interruptOnSignals(
    `Interrupted. Finished trials are kept in ${where}. The same command with --out ${where} --resume goes on.`,
    () => say('Stopping every process…'),
  );
  say(`Running ${experiment.name} into ${where}`);
  try {
    const { summary, tables } = await runDocuments({
      ...{ experiment, plan, directory, resume, say },
      signal: interrupt.signal,
      onTrial: ({ cell, trial }, index) => say(`[${index + 1}/${plan.length}] ${cell}, trial ${trial}`),
      onVerdict({ cell, trial }, { verdict, reasons }) {
        if (verdict === 'valid') return;
        say(`${cell}, trial ${trial}: ${verdict}`);
        for (const { message } of reasons) say(`  ${message}`);
      },
    });
    if (json) console.log(JSON.stringify(summary, null, 2));
    else {
      console.log([formatDocumentTable(summary), ...tables.map(renderCaptioned)].join('\n\n'));
      console.log(`\nResults: ${where}; open ${shortPath(join(directory, REPORT_FILE))} in a browser`);
    }
    if (summary.cells.some(({ validTrials, trials }) => validTrials < trials)) process.exitCode = 1;
  } finally {
    interrupt.release();
  }
}
