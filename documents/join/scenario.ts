/** Scenario `join`: a newcomer joins a document of many edits, in Chrome, while others type into it. */
import { join } from 'node:path';
import { buildPageOf } from '../../frameworks/page-build.ts';
import { pageScript } from '../../harness/analysis.ts';
import { findChrome } from '../../infra/local/chrome.ts';
import { scenarioOfServers } from '../live-server.ts';
import { combine, type JoinCell, type JoinExperiment } from './cells.ts';
import { measureJoins } from './join-trial.ts';

/** By the names of frameworks, the folders of their pages; and the newcomer's script for any of them. */
interface Pages {
  folders: ReadonlyMap<string, string>;
  script: string;
}

/** For the plan, as seen on two cores: what each of these takes. */
const COSTS_MS = { trial: 3000, loadWindow: 5000, document: 5, edit: 0.1, newcomer: 600 };

export const scenario = scenarioOfServers<JoinExperiment, JoinCell, Pages>('join', {
  cells: combine,
  estimateMs({ joins }, { edits, documents }) {
    const filling = documents * (COSTS_MS.document + edits * COSTS_MS.edit);
    const window = documents > 1 ? COSTS_MS.loadWindow : 0;
    return COSTS_MS.trial + window + filling + (joins + 1) * COSTS_MS.newcomer;
  },
  async ready({ frameworks }) {
    await findChrome();
    const folders = new Map<string, string>();
    for (const [name, framework] of frameworks) folders.set(name, await buildPageOf(framework));
    return { script: await newcomerScript(), folders };
  },
  measure: (options, { script, folders }) =>
    measureJoins({ ...options, script, pageFolder: folders.get(options.framework)! }),
});

/** The script that makes a newcomer of a page. */
export function newcomerScript(): Promise<string> {
  return pageScript(join(import.meta.dirname, 'page/newcomer.ts'));
}
