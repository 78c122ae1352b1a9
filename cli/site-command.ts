/** `site`: kept runs as a web page of files; `submit`: a run's small summary for it. */
import { existsSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { PageFramework } from '../analysis/page/page-data.ts';
import { KEPT_ENDING, type KeptRun, writeKept } from '../analysis/site/kept-file.ts';
import { runFoldersIn, SUBMITTED_FOLDER } from '../analysis/site/kept-runs.ts';
import { packRun } from '../analysis/site/pack-run.ts';
import { describeSubmission, readSubmitted, requireRules } from '../analysis/site/submission.ts';
import { writeSite } from '../analysis/site/write-site.ts';
import { capabilitiesPage } from '../capabilities/capabilities-table.ts';
import { readOutcomes } from '../capabilities/outcomes.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { readyMadeCampaigns } from '../harness/campaign/campaign.ts';
import { cheapestMachine } from '../harness/capacity/machine.ts';
import { readyMadeNames } from '../harness/experiment/ready-made.ts';
import { PROJECT_ROOT, shortPath } from '../infra/project.ts';
import { UserError } from '../results/user-error.ts';

export function addSiteCommand(program: Command): void {
  program
    .command('site')
    .description('write the results site: a web page of all kept runs, which needs no server')
    .argument('[runs...]', 'further folders that `run` wrote, or folders of files that `submit` wrote')
    .option('-o, --out <folder>', 'folder for the page and its data', 'site')
    .option(
      '--code <address>',
      'web address of the project’s files, for links to code (default: this folder)',
      parseWebAddress,
    )
    .action(async (directories: string[], { out, code }: { out: string; code?: string }) => {
      const packed = directories.find((path) => path.endsWith(KEPT_ENDING) && statSync(path, NO_THROW)?.isFile());
      if (packed !== undefined) throw new UserError(`${packed} is a file; give the folder that it lies in`);
      const outDirectory = resolve(out);
      const toProject = `${relative(outDirectory, PROJECT_ROOT)}/`;
      const codeRoot = code === undefined ? toProject : `${code.replace(/\/$/, '')}/`;
      const { path, runs, rows } = await writeSite({
        ...{ outDirectory, directories, code: codeRoot },
        frameworks: await describeFrameworks(),
        experiments: readyMadeNames(),
        campaigns: readyMadeCampaigns(),
        machineFor: cheapestMachine,
        capabilities: capabilitiesPage(await readOutcomes(), codeRoot),
      });
      console.log(`${rows} rows of ${runs} runs\n\nSite: ${shortPath(path)}`);
    });
}

const NO_THROW = { throwIfNoEntry: false } as const;

/** @throws InvalidArgumentError of what no browser opens */
function parseWebAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('Write an address such as https://example.org/scriptorium/blob/main.');
}

export function addSubmitCommand(program: Command): void {
  program
    .command('submit')
    .description('pack the small summary of a run for the results site; a file that is packed already is checked')
    .argument('<runs...>', `folders that \`run\` or \`campaign\` wrote, or files *${KEPT_ENDING}`)
    .option('-o, --out <folder>', 'folder for the packed files', shortPath(SUBMITTED_FOLDER))
    .action(async (paths: string[], { out }: { out: string }) => {
      for (const path of paths) await submit(path, resolve(out));
    });
}

/** @throws UserError (1) if a run breaks a rule, or its name is taken, (2) if there is no run */
async function submit(path: string, out: string): Promise<void> {
  if (existsSync(path) && (await stat(path)).isFile()) {
    if (!path.endsWith(KEPT_ENDING)) {
      throw new UserError(`${path} is no packed run; give a folder that run wrote, or a file *${KEPT_ENDING}`);
    }
    return console.log(`✓ ${describeSubmission(await readSubmitted(path))}`);
  }
  // Nothing is packed of a campaign that breaks a rule somewhere.
  const packed = await Array.fromAsync(await runFoldersIn(path), (run) => pack(run, out));
  for (const { file, kept } of packed) {
    await writeKept(file, kept);
    console.log(`✓ ${describeSubmission(kept)}\n\nPacked: ${shortPath(file)}`);
  }
  console.log(
    'Look at it: ./scriptorium site\nHand it in: commit the file and open a pull request; docs/project/submitting.md has the rules',
  );
}

/** @returns the file that it becomes */
async function pack(run: string, out: string): Promise<{ file: string; kept: KeptRun }> {
  const { name, kept } = await packRun(run);
  requireRules(kept, run);
  const file = join(out, `${name}${KEPT_ENDING}`);
  if (!existsSync(file)) return { file, kept };
  throw new UserError(`${shortPath(file)} exists; remove it first if it is this run, or name another folder: --out`, {
    exitCode: 1,
  });
}

async function describeFrameworks(): Promise<Record<string, PageFramework>> {
  const described = (await discoverFrameworks()).map(({ name, about }): [string, PageFramework] => [
    name,
    {
      colour: about.colour,
      about: `${about.algorithm}, ${about.licence}, ${about.server}`,
      folders: [`editors/${name}`, `servers/${name}`].filter((folder) => existsSync(join(PROJECT_ROOT, folder))),
      issues: (about.knownIssues ?? []).map(({ summary }) => summary),
    },
  ]);
  return Object.fromEntries(described);
}
