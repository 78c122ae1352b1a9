/**
 * `npm run measured -- DIR`: keeps a run, a campaign's block or all of its blocks in `results/measured/`, copies charts over
 * the pictures that pages show of the experiment, and says which comment in a page shows a table of it.
 */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeChartImages } from '../../analysis/report/images.ts';
import { writeReport } from '../../analysis/report/report.ts';
import { typingCells } from '../../analysis/scenarios/cell.ts';
import { keepRun, readKept, runFoldersIn } from '../../analysis/site/kept-runs.ts';
import { pooledName } from '../../analysis/site/pool-campaigns.ts';
import { launchChrome } from '../../harness/users/chrome/chrome.ts';
import { runTool } from '../../infra/process/child.ts';
import { temporaryFolder } from '../../infra/process/made-once.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { linksOf, readDocuments } from './documents.ts';

const [given, ...more] = process.argv.slice(2);
if (given === undefined || more.length > 0) throw new Error('give one folder: npm run measured -- results/…');
const shown = new Set<string>();
for (const run of await runFoldersIn(given)) shown.add(await keep(run));
await runTool(['npm', 'run', '--silent', 'docs'], { folder: PROJECT_ROOT, inTerminal: true });
for (const sql of shown) {
  console.log(`A page shows its cells after the comment: <!-- rows: written by npm run docs from ${sql} -->`);
}

/** @returns a query for the cells: those of blocks are pooled under the experiment's name */
async function keep(run: string): Promise<string> {
  const kept = await readKept(await keepRun(run));
  const { summary, campaign } = kept;
  const { experiment } = summary;
  /** Other modes' pictures are of other runs. */
  const modes = new Set(typingCells(summary).map(({ parameters }) => parameters.mode));
  const endings = modes.size === 0 ? ['.svg'] : [...modes].map((mode) => `-${mode}.png`);
  const links = (await readDocuments()).flatMap(({ text }) => linksOf(text));
  // In pages, a run's chart `server-cpu.png` is `<experiment>-server-cpu.png`.
  const pictures = [...new Set(links)].filter(
    (link) => link.startsWith(`${experiment}-`) && endings.some((ending) => link.endsWith(ending)),
  );
  if (pictures.length > 0) await copyCharts(run, { experiment, pictures });
  return `SELECT cell FROM cells WHERE ${campaign === undefined ? 'experiment' : 'run'} = '${pooledName(kept)}'`;
}

/** @throws Error if the run has nothing to draw for a picture, as one that was too short */
async function copyCharts(
  directory: string,
  { experiment, pictures }: { experiment: string; pictures: readonly string[] },
): Promise<void> {
  await using folder = await temporaryFolder('measured');
  const outDirectory = folder.path;
  const { page: report } = await writeReport([directory], { outDirectory });
  // The charts of documents are files already.
  if (pictures.some((picture) => picture.endsWith('.png'))) {
    const launch = () => launchChrome({ show: false });
    await writeChartImages({ report, outDirectory, formats: ['png'], launch });
  }
  for (const picture of pictures) {
    const chart = join(outDirectory, 'charts', picture.slice(`${experiment}-`.length));
    await copyFile(chart, join(PROJECT_ROOT, 'docs/data', picture));
  }
}
