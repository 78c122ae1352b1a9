/**
 * `npm run measured -- RUN`: keeps a run's plan and summary in `results/measured/` (of a run against another version, what
 * `compare` says of it), its charts in `docs/` where it is the comparison, and writes the tables of README and docs anew
 * from them. Nothing is copied by hand.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { svgFile } from '../../analysis/charts/svg-lines.ts';
import { writeChartImages } from '../../analysis/report/images.ts';
import { writeReport } from '../../analysis/report/report.ts';
import { chartsOf } from '../../analysis/scenarios/charts.ts';
import { launchChrome } from '../../harness/users/chrome/chrome.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { AGAINST_FILE, REPORT_FILE } from '../../results/formats/run-directory.ts';
import type { Summary } from '../../results/formats/summary.ts';
import { writeFileAtomically } from '../../results/formats/write-file.ts';
import { scenarioOf } from '../../results/run-folder/run-files.ts';
import { CHARTS, COMPARISON, chartFile, chartTiers, comparedModes, imageFile, onlyMode } from './comparison.ts';
import { DOCUMENT_RESULTS, documentChartFile, isDocumentResult } from './document-results.ts';
import { keepDocuments, keepMeasured, keepWords, readRun } from './measured.ts';

const [run, ...more] = process.argv.slice(2);
if (run === undefined || more.length > 0) throw new Error('give the folder of one run: npm run measured -- results/…');
if (existsSync(join(run, AGAINST_FILE))) await keepWords(run);
else if ((await scenarioOf(run)) !== 'typing') await keepDocumentsAndCharts(run);
else {
  const { summary } = await readRun(run);
  if (summary.experiment === COMPARISON) await keepCharts(run, summary);
  await keepMeasured(run);
}
execFileSync('npm', ['run', '--silent', 'docs'], { cwd: PROJECT_ROOT, stdio: 'inherit' });

/** Charts of a document scenario are drawn without a browser. */
async function keepDocumentsAndCharts(directory: string): Promise<void> {
  const { summary } = await keepDocuments(directory);
  const { experiment } = summary;
  if (!isDocumentResult(experiment)) return;
  const wanted: readonly string[] = DOCUMENT_RESULTS[experiment];
  for (const chart of chartsOf(summary).filter(({ id }) => wanted.includes(id))) {
    await writeFileAtomically(join(PROJECT_ROOT, 'docs', documentChartFile(experiment, chart.id)), svgFile(chart));
  }
}

/** @throws Error where a chart is empty, as after a run that was too short; then the documents' charts stay as they are */
async function keepCharts(directory: string, summary: Summary): Promise<void> {
  const outDirectory = await mkdtemp(join(tmpdir(), 'measured-'));
  try {
    await writeReport([directory], { outDirectory });
    const launch = () => launchChrome({ show: false });
    await writeChartImages({ reportPath: join(outDirectory, REPORT_FILE), outDirectory, formats: ['png'], launch });
    const modes = comparedModes(summary);
    const images = modes.flatMap((mode) =>
      Object.keys(CHARTS).flatMap((chart) =>
        chartTiers(onlyMode(summary, mode)).map(({ tier }) => ({
          from: join(outDirectory, 'charts', imageFile(chart, tier, mode, summary)),
          to: chartFile(chart, tier, mode),
        })),
      ),
    );
    for (const { from, to } of images)
      if (!existsSync(from)) throw new Error(`${directory} has nothing to draw for ${to}`);
    const docs = join(PROJECT_ROOT, 'docs');
    const earlier = (await readdir(docs)).filter(
      (name) => name.startsWith(`${COMPARISON}-`) && modes.some((mode) => name.endsWith(`-${mode}.png`)),
    );
    for (const name of earlier) await rm(join(docs, name));
    for (const { from, to } of images) await copyFile(from, join(docs, to));
  } finally {
    await rm(outDirectory, { recursive: true });
  }
}
