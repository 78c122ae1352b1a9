/** Scenario `join`: a newcomer joins a document of many edits, in Chrome, while others type into it. */
import { join } from 'node:path';
import { versionToday } from '../../frameworks/framework.ts';
import { readyNeeds } from '../../frameworks/needs.ts';
import { buildPageOf } from '../../frameworks/page-build.ts';
import { pageScript } from '../../harness/analysis.ts';
import { findChrome } from '../../infra/local/chrome.ts';
import type { OpenScenario, ScenarioContext, ScenarioKind } from '../scenario.ts';
import { openWrittenEdits } from '../written-edits.ts';
import { combine, type JoinCell, type JoinExperiment } from './cells.ts';
import { measureJoins } from './join-trial.ts';

export type { JoinExperiment };

/** For the plan, as seen on two cores: what each of these takes. */
const COSTS_MS = { trial: 3000, loadWindow: 5000, document: 5, edit: 0.1, newcomer: 600 };

export const scenario: ScenarioKind<JoinExperiment, JoinCell> = {
  cells: (experiment, { frameworks, say }) => combine(experiment, frameworks, say),
  estimateMs({ joins }, { edits, documents }) {
    const filling = documents * (COSTS_MS.document + edits * COSTS_MS.edit);
    const window = documents > 1 ? COSTS_MS.loadWindow : 0;
    return COSTS_MS.trial + window + filling + (joins + 1) * COSTS_MS.newcomer;
  },
  open,
};

async function open(experiment: JoinExperiment, context: ScenarioContext): Promise<OpenScenario<JoinCell>> {
  const { frameworks, say, folder } = context;
  await findChrome();
  await readyNeeds({ frameworks: [...frameworks.values()], say, signal: context.signal });
  const fileOf = await openWrittenEdits(experiment, context);
  const script = await newcomerScript();
  const pages = new Map<string, string>();
  for (const [name, framework] of frameworks) pages.set(name, await buildPageOf(framework));
  const { typists, keysPerSecond, joins, limitMs } = experiment;
  return {
    versionOf: ({ framework }) => versionToday(frameworks.get(framework)!),
    async runTrial(cell, { write: record, signal }) {
      const editsFile = await fileOf(cell.edits);
      const pageFolder = pages.get(cell.framework)!;
      const how = { typists, keysPerSecond, joins, limitMs, editsFile, pageFolder, script, folder, signal };
      record(await measureJoins({ ...cell, ...how }));
    },
  };
}

/** The script that makes a newcomer of a page. */
export function newcomerScript(): Promise<string> {
  return pageScript(join(import.meta.dirname, 'page/newcomer.ts'));
}
