/** Writes the results site: one page that opens from its file, and beside it the data of each run. */
import { existsSync } from 'node:fs';
import { copyFile, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PLAN_FILE } from '../../results/formats/run-directory.ts';
import { writeFileAtomically, writeJson } from '../../results/formats/write-file.ts';
import { UserError } from '../../results/user-error.ts';
import { packData } from '../page/packed-data.ts';
import { type Capabilities, sitePage } from '../page/site-page.ts';
import { readPageFiles } from '../report/bundle.ts';
import { collectSite, type SiteSource, type Surroundings } from './collect-site.ts';
import { KEPT_ENDING, readKeptFile, writeKept } from './kept-file.ts';
import { MEASURED_FOLDER, SUBMITTED_FOLDER } from './kept-runs.ts';
import { packRun } from './pack-run.ts';
import { readSubmitted } from './submission.ts';

interface SiteOptions extends Surroundings {
  /** Run folders, and folders of kept runs, beside those that the project keeps. */
  directories: readonly string[];
  outDirectory: string;
  capabilities: Capabilities;
  /** Of the page; by default it is bundled. */
  script?: string;
}

/**
 * Writes `index.html`, and of each run `runs/<name>.json.gz` and `runs/<name>/plan.json`; those of others, in `runs/submitted/`.
 * The same runs give the same bytes.
 *
 * @throws UserError (2) if a folder holds neither a run nor kept runs, or two runs have one name; (1) if others' break a rule
 */
export async function writeSite(options: SiteOptions): Promise<{ path: string; runs: number; rows: number }> {
  const { outDirectory, directories, capabilities, script } = options;
  const kept = [MEASURED_FOLDER, SUBMITTED_FOLDER].filter(existsSync);
  const sources = (await Promise.all([...kept, ...directories].map((folder) => sourcesIn(folder)))).flat();
  requireNames(sources);
  const data = collectSite(sources, options);
  for (const { name, kept, path } of sources) {
    await writeJson(join(outDirectory, 'runs', name, PLAN_FILE), kept.plan);
    const copy = join(outDirectory, 'runs', `${name}${KEPT_ENDING}`);
    if (path === null) await writeKept(copy, kept);
    else await copyFile(path, copy);
  }
  const path = join(outDirectory, 'index.html');
  const page = sitePage(await packData(data), capabilities, await readPageFiles(script));
  await writeFileAtomically(path, page);
  return { path, runs: data.runs.length, rows: data.rows.length };
}

/** One would replace the other. */
function requireNames(sources: readonly SiteSource[]): void {
  const twice = sources.find(({ name }, index) => sources.findIndex((each) => each.name === name) < index);
  if (twice === undefined) return;
  throw new UserError(`there are two runs named ${twice.name}; leave one of them out`);
}

/** A folder's run, or the runs that are kept in it. Packed runs are others', but for those that the project keeps. */
async function sourcesIn(folder: string): Promise<(SiteSource & { path: string | null })[]> {
  const isFolder = existsSync(folder) && (await stat(folder)).isDirectory();
  const files = isFolder ? await readdir(folder) : [];
  if (files.includes(PLAN_FILE)) return [{ ...(await packRun(folder)), path: null, isSubmitted: false }];
  const kept = files.filter((file) => file.endsWith(KEPT_ENDING)).sort();
  if (kept.length === 0 && folder !== SUBMITTED_FOLDER) {
    throw new UserError(
      `${folder} holds no run: there is neither a ${PLAN_FILE} nor a file *${KEPT_ENDING} in it; give a folder that \`run\` wrote, such as results/<experiment>/<time>`,
    );
  }
  return await Promise.all(
    kept.map(async (file) => {
      const path = join(folder, file);
      const name = basename(file, KEPT_ENDING);
      return folder === MEASURED_FOLDER
        ? { name, kept: await readKeptFile(path), path, isSubmitted: false }
        : { name: `submitted/${name}`, kept: await readSubmitted(path), path, isSubmitted: true };
    }),
  );
}
