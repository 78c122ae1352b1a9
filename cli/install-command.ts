/** `install`: fetches ahead, for a machine that will have no network, what the first use of something would install. */
import type { Command } from 'commander';
import { admitAll } from '../frameworks/admit.ts';
import { readyNeeds } from '../frameworks/needs.ts';
import { leftOut, readyProjectPackages } from '../frameworks/packages/project-packages.ts';
import { UserError } from '../results/user-error.ts';
import { say } from './terminal.ts';

export function addInstallCommand(program: Command): void {
  program
    .command('install')
    .description('fetch packages ahead, with Chrome: afterwards these frameworks run offline')
    .argument('[frameworks...]', 'frameworks as in an experiment, such as yjs or yjs@13.6.20')
    .option(
      '--all',
      'the project’s own npm packages: of frameworks but fluid, of engines, stores and AWS; neither Python nor Rust',
    )
    .option('--tests', 'what ./scriptorium test takes, which is all of these and its tools')
    .action(async (names: string[], { all = false, tests = false }: { all?: boolean; tests?: boolean }) => {
      if (names.length === 0 && !all && !tests) {
        throw new UserError('install: name frameworks, as ./scriptorium list shows them, or say --all or --tests');
      }
      if (all || tests) await readyProjectPackages(await leftOut({ tools: tests }), { say });
      await readyNeeds({ frameworks: await admitAll(names, { from: process.cwd(), say }), say });
      const what = [...(all ? ['--all'] : []), ...(tests ? ['--tests'] : []), ...names].join(', ');
      say(`Here, also without a network: ${what}`);
    });
}
