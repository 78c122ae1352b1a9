/** Scenario `join`: a newcomer joins a document of many edits, in Chrome, while others type into it. */
import { join } from 'node:path';
import { versionToday } from '../../frameworks/framework.ts';
import { readyNeeds } from '../../frameworks/needs.ts';
import { buildPageOf } from '../../frameworks/page-build.ts';
import { pageScript } from '../../harness/analysis.ts';
import { findChrome } from '../../infra/local/chrome.ts';
import { UserError } from '../../results/user-error.ts';
import type { Trace } from '../../traces/format.ts';
import { resolveTrace } from '../../traces/store.ts';
import { editsOf, writeEdits } from '../replay/edits.ts';
import type { OpenScenario, ScenarioContext, ScenarioKind } from '../scenario.ts';
import { combine, type JoinCell, type JoinExperiment, servingsOf } from './cells.ts';
import { measureJoins } from './join-trial.ts';

export type { JoinExperiment };

/** For the plan, as seen on two cores: what each of these takes. */
const COSTS_MS = { trial: 3000, loadWindow: 5000, document: 5, edit: 0.1, newcomer: 600 };

export const scenario: ScenarioKind<JoinExperiment, JoinCell> = {
  cells: (experiment, { frameworks, say }) => combine(experiment, servingsOf(frameworks), say),
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
  const trace = await resolveTrace(experiment.trace);
  const shares = new Map(experiment.edits.map((edits) => [edits, shareOf(trace, edits)]));
  for (const [edits, { repeat }] of shares) {
    if (repeat > 1)
      say(`note: ${experiment.trace} is shorter than ${edits} edits, so it is written ${repeat} times over`);
  }
  const script = await newcomerScript();
  const pages = new Map<string, string>();
  for (const [name, framework] of frameworks) pages.set(name, await buildPageOf(framework));
  const files = new Map<number, Promise<string>>();
  const fileOf = (edits: number): Promise<string> => {
    const path = join(folder, String(edits));
    const file = files.get(edits) ?? write(path, trace, shares.get(edits)!);
    files.set(edits, file);
    return file;
  };
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

/** How much of a trace, and how often, makes so many edits. */
interface Share {
  atMost: number;
  repeat: number;
}

/** @throws UserError (2) if the trace cannot be written into an editor */
export function shareOf(trace: Trace, edits: number): Share {
  const advice = 'take another trace; `./scriptorium list` shows them';
  if (trace.kind === 'concurrent') {
    throw new UserError(`the trace has several authors at once, and one user writes the document here; ${advice}`, {
      exitCode: 2,
    });
  }
  const all = editsOf(trace);
  const repeat = Math.ceil(edits / all.count);
  const atMost = Math.round(edits / repeat);
  const part = editsOf(trace, { atMost });
  if (part.inserted.some((text) => text.includes('\r'))) {
    throw new UserError(`the trace has "\\r", which editors make "\\n" of, so its later edits would miss; ${advice}`, {
      exitCode: 2,
    });
  }
  if (part.endContent === '') {
    throw new UserError(
      `after its first ${atMost} edits the trace’s text is empty, so nobody would see that it has come; ${advice}`,
      {
        exitCode: 2,
      },
    );
  }
  return { atMost, repeat };
}

async function write(path: string, trace: Trace, share: Share): Promise<string> {
  await writeEdits(path, trace, share);
  return path;
}
