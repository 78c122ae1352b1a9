/** `capacity`: what each unit of use costs a framework's server, and the machine that a thousand users ask for, as a card. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type Card, cardTable } from '../analysis/campaign/cards.ts';
import { renderCaptioned } from '../analysis/tables/render.ts';
import { admitAll } from '../frameworks/admit.ts';
import { resultsFolder } from '../infra/project.ts';
import { shellCommand } from '../results/foreign-text.ts';
import { type CampaignFlags, runCampaignHere } from './campaign-command.ts';
import { parseCount } from './parse-number.ts';
import { coloured, say } from './terminal.ts';

export function addCapacityCommand(program: Command): void {
  program
    .command('capacity')
    .description('print what an update, a reader, a document and a deploy cost a server, and what machine to rent')
    .argument('<frameworks...>', 'frameworks, each with a card of its own')
    .option('-o, --out <folder>', 'folder of the cards’ campaigns, in which they go on (default: results/capacity)')
    .option('--blocks <count>', 'repeats of everything, instead of 3: intervals need at least as many', parseCount)
    .option('--plan', 'print what is done, what is left and how long it takes; run nothing')
    .addOption(new Option('--report', 'print the cards of what is done; run nothing').conflicts('plan'))
    .option('--other-code', 'go on although blocks were measured by another commit')
    .addOption(new Option('--json', 'print the cards as JSON, with what each block found').conflicts('plan'))
    .option('-q, --quiet', 'no progress on stderr, but for what goes wrong')
    .action(async (frameworks: string[], { out, json = false, ...flags }: CampaignFlags & { json?: boolean }) => {
      await admitAll(frameworks, { from: process.cwd(), say, isDry: flags.plan === true || flags.report === true });
      const all: Card[] = [];
      for (const name of new Set(frameworks)) {
        const directory = join(resolve(out ?? join(resultsFolder(), 'capacity')), name.replaceAll(/[^\w.@-]+/g, '_'));
        // A report makes no folder.
        const { text, left, cards } =
          flags.report === true && !existsSync(directory)
            ? { text: '', left: 0, cards: [] }
            : await runCampaignHere('capacity', { ...flags, frameworks: [name], out: directory });
        if (flags.plan === true) {
          console.log(`${name}\n\n${coloured(text)}\n`);
          continue;
        }
        if (left > 0 && flags.report !== true) process.exitCode = 1;
        const command = shellCommand(['./scriptorium', 'capacity', name, ...(out === undefined ? [] : ['--out', out])]);
        all.push(...cards);
        if (json) continue;
        if (cards.length === 0) console.log(`${name}: nothing is measured yet; measure with ${command}`);
        for (const card of cards) console.log(`${coloured(renderCaptioned(cardTable(card, command)))}\n`);
      }
      if (json) console.log(JSON.stringify(all, null, 2));
    });
}
