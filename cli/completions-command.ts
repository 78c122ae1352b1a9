/** `completions`: a script that completes commands, options and names in a shell. */
import { Argument, type Command } from 'commander';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { readyMadeNames } from '../harness/experiment/ready-made.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
/** The commands whose argument may be the name of an experiment. */
const OF_EXPERIMENTS = ['run', 'plan'];
/** The names of arguments that are frameworks. */
const FRAMEWORKS = ['framework', 'frameworks'];

/** @param program has every command by the time that this one runs */
export function addCompletionsCommand(program: Command): void {
  program
    .command('completions')
    .description('print a script that completes commands, options and names in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action(async (shell: (typeof SHELLS)[number]) => {
      const frameworks = (await discoverFrameworks()).map(({ name }) => name);
      const words = program.commands.map((command) => ({
        name: command.name(),
        words: [
          ...command.commands.map((each) => each.name()),
          ...command.options.flatMap(({ short, long }) => [short, long].filter((each) => each != null)),
          ...(OF_EXPERIMENTS.includes(command.name()) ? readyMadeNames() : []),
          ...(command.registeredArguments.some((argument) => FRAMEWORKS.includes(argument.name())) ? frameworks : []),
        ],
      }));
      console.log(shell === 'fish' ? fish(words) : bash(words, shell));
    });
}

interface CommandWords {
  name: string;
  words: readonly string[];
}

/** Zsh reads scripts of bash by a module of its own. */
function bash(commands: readonly CommandWords[], shell: 'bash' | 'zsh'): string {
  const cases = commands.map(({ name, words }) => `    ${name}) words="${words.join(' ')}" ;;`);
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_scriptorium() {
  local word=\${COMP_WORDS[COMP_CWORD]} words="${commands.map(({ name }) => name).join(' ')}"
  [ "$COMP_CWORD" -le 1 ] || case \${COMP_WORDS[1]} in
${cases.join('\n')}
    *) words= ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
}
complete -o filenames -F _scriptorium scriptorium ./scriptorium`;
}

function fish(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return [
    `complete -c scriptorium -n __fish_use_subcommand -a "${names}"`,
    ...commands.map(
      ({ name, words }) => `complete -c scriptorium -n "__fish_seen_subcommand_from ${name}" -a "${words.join(' ')}"`,
    ),
  ].join('\n');
}
