/**
 * In the place of `cli/main.ts` on a bare machine (infra/compose/bare.sh): tells whether the launcher has readied what the command needs,
 * and runs nothing. `documented` prints the commands to try, as words for a shell: of those that documents show the first of each name,
 * with a Chrome and without. The launcher's rule for all of them is tested in `documented-commands.it.test.ts`.
 */
import { createProgram } from '../../cli/program.ts';
import { chromeVersion, findChrome } from '../../infra/local/chrome.ts';
import { shellCommand } from '../../results/foreign-text.ts';
import { documentedCommands, opensChrome } from './documented-commands.ts';

const words = process.argv.slice(2);
if (words[0] === 'documented') {
  const named = (await documentedCommands()).filter((command) => command.words.length > 0);
  const kinds = Map.groupBy(named, (command) => `${command.words[0]} ${opensChrome(command.words)}`);
  console.log([...kinds.values()].map(([first]) => shellCommand(first!.words)).join('\n'));
} else {
  // It loads the command's module, and all that this imports.
  const program = await createProgram(words[0]);
  if (!program.commands.some((command) => command.name() === words[0])) throw new Error(`there is no ${words[0]}`);
  if (opensChrome(words)) console.log(await chromeVersion(await findChrome()));
}
