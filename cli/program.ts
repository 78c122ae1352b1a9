/** The whole command line as a commander program; `main.ts` runs it, the documents list it. */
import { Command, Help, Option } from 'commander';
import { readyMadeNames } from '../harness/experiment/ready-made.ts';
import { FLEET_NAMES } from '../infra/fleets.ts';
import manifest from '../package.json' with { type: 'json' };
import { didYouMean } from '../results/nearest.ts';
import { UserError } from '../results/user-error.ts';
import { EXAMPLES } from './examples.ts';

/** The meaning of each exit code, in ascending order. */
export const EXIT_CODES: ReadonlyMap<number, string> = new Map([
  [0, 'fine'],
  [
    1,
    'a trial is not valid (report: none is), a bound is missed, check, explore or submit found a fault, or a search, campaign or capacity card is unfinished',
  ],
  [2, 'bad arguments, or a bad experiment file or trace'],
  [3, 'something is missing here, an attached server refuses or is gone, or an unexpected failure'],
  [4, 'ci: the change is broken'],
  [5, 'ci: inconclusive; campaign: the machine is busy'],
  [130, 'interrupted; finished trials are kept'],
]);

type Add = (program: Command) => void;

/** For the help: the launcher takes it, before a command, and hands on the rest. */
const LAUNCHER_OPTION = new Option(
  '--chrome <version>',
  'before a command: take another Chrome, a number such as 156.0.8078.47, or stable, beta, dev, canary',
);

/** Commands in the groups and the order of the help. Each module is loaded when it is needed, as most take their time. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, () => Promise<Add | undefined>>>>> = {
  'Measure:': {
    demo: async () => (await import('./quick-command.ts')).addDemoCommand,
    quick: async () => (await import('./quick-command.ts')).addQuickCommand,
    run: async () => (await import('./run-command.ts')).addRunCommand,
    plan: async () => (await import('./list-command.ts')).addPlanCommand,
    attach: async () => (await import('./attach-command.ts')).addAttachCommand,
    hello: async () => (await import('./attach-command.ts')).addHelloCommand,
    ci: async () => (await import('./ci-command.ts')).addCiCommand,
    max: async () => (await import('./max-command.ts')).addMaxCommand,
    campaign: async () => (await import('./campaign-command.ts')).addCampaignCommand,
    capacity: async () => (await import('./capacity-command.ts')).addCapacityCommand,
  },
  'Look at results:': {
    report: async () => (await import('./report-command.ts')).addReportCommand,
    compare: async () => (await import('./compare-command.ts')).addCompareCommand,
    sql: async () => (await import('./sql-command.ts')).addSqlCommand,
    site: async () => (await import('./site-command.ts')).addSiteCommand,
    submit: async () => (await import('./site-command.ts')).addSubmitCommand,
  },
  'Frameworks, traces, recordings:': {
    list: async () => (await import('./list-command.ts')).addListCommand,
    'new-framework': async () => (await import('./new-framework-command.ts')).addNewFrameworkCommand,
    check: async () => (await import('./check-command.ts')).addCheckCommand,
    explore: async () => (await import('./explore-command.ts')).addExploreCommand,
    traces: async () => (await import('./traces-command.ts')).addTracesCommand,
    crowd: async () => (await import('./crowd-command.ts')).addCrowdCommand,
  },
  'This machine and the instrument:': {
    install: async () => (await import('./install-command.ts')).addInstallCommand,
    doctor: async () => (await import('./list-command.ts')).addDoctorCommand,
    calibrate: async () => (await import('./run-command.ts')).addCalibrateCommand,
    test: async () => (await import('./test-command.ts')).addTestCommand,
    completions: async () => (await import('./completions-command.ts')).addCompletionsCommand,
  },
  'Elsewhere:': Object.fromEntries(
    FLEET_NAMES.map((name) => [
      name,
      async () => (await (await import('../harness/fleets/fleet-kind.ts')).loadFleet(name)).addCommands,
    ]),
  ),
};

/**
 * A program whose commands throw instead of ending the process; every command's help has examples and the exit codes.
 *
 * @param only a command's name: only this one is loaded. All are without it, if there is none such, and for completions
 */
export async function createProgram(only?: string): Promise<Command> {
  const program = new Command('scriptorium')
    .description(
      'Measures how many people can type into one rich-text document at once with a given collaboration framework before typing stutters or edits stop arriving.',
    )
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ showGlobalOptions: false, optionDescription, visibleOptions });
  const names = Object.values(GROUPS).flatMap((commands) => Object.keys(commands));
  const isKnown = only !== undefined && only !== 'completions' && names.includes(only);
  for (const [title, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(title);
    for (const [name, load] of Object.entries(commands)) if (!isKnown || name === only) (await load())?.(program);
  }
  program.commandsGroup('Help:');
  program.hook('preAction', (_, command) => refuseEmpty(command));
  for (const command of withSubcommands(program)) {
    command.exitOverride();
    refuseRepeated(command);
    command.configureOutput({ outputError: (text, write) => write(errorText(text, command)) });
    command.addHelpText('after', textAfter(command));
  }
  return program;
}

/** Of an option that is given twice, the last one would count without a word. One that may be repeated gathers a list. */
function refuseRepeated(command: Command): void {
  for (const option of command.options.filter((each) => !each.isBoolean())) {
    let times = 0;
    command.on(`option:${option.name()}`, () => {
      times++;
      if (times === 1 || Array.isArray(command.getOptionValue(option.attributeName()))) return;
      command.error(`error: option '${option.flags}' is given twice; write it once`);
    });
  }
}

/** A shell variable that is not set; a folder of that name would be the current one. @throws UserError (2) */
function refuseEmpty(command: Command): void {
  if (command.args.includes('')) throw new UserError('an argument is "", which is nothing; write it, or leave it out');
  for (const option of command.options) {
    if (command.getOptionValue(option.attributeName()) !== '') continue;
    throw new UserError(
      `${option.long} is "", which is nothing; write ${option.flags.split(' ').at(-1)} there, or leave it out`,
    );
  }
}

/** An option of the program itself would be taken behind each command, too. */
function visibleOptions(command: Command): Option[] {
  const own = new Help().visibleOptions(command);
  return command.parent === null ? [LAUNCHER_OPTION, ...own] : own;
}

/** Without the empty list that an option which may be repeated starts from. */
function optionDescription(option: Option): string {
  const isEmptyList = Array.isArray(option.defaultValue) && option.defaultValue.length === 0;
  return isEmptyList ? option.description : new Help().optionDescription(option);
}

/** In the words of every other error; commander's own say neither what a value of several words is, nor where the help is. */
function errorText(text: string, command: Command): string {
  const help = `${['./scriptorium', nameOf(command)].join(' ').trim()} --help`;
  const unknown = /unknown command '(.*)'/.exec(text)?.[1];
  const meant = unknown === undefined || text.includes('Did you mean') ? '' : didYouMean(unknown, namesOf(command));
  const isLaunchers = text.includes("unknown option '--chrome");
  const advice = isLaunchers
    ? 'the launcher takes it, before a command: ./scriptorium --chrome VERSION COMMAND'
    : text.includes('too many arguments') && command.registeredArguments.length > 0
      ? 'a value with spaces stands between quotes; several values of one option have commas between them, such as --users 2,4'
      : unknown === undefined
        ? `${help} lists its arguments and options`
        : `${help} lists the commands${command.parent === null ? `; ${insteadOf(unknown)}` : ''}`;
  const problem = (isLaunchers ? text.split('\n')[0]! : text)
    .replace(/^error: /, '')
    .trimEnd()
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/,
      '"$1" is no $2 for this; write one of: $3',
    )
    .replace(
      /^option '(.*)' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/,
      '$1: "$2" is not valid; write one of: $3',
    );
  return `scriptorium: ${problem}${meant}\n(${advice})\n`;
}

function namesOf(command: Command): string[] {
  return command.commands.map((each) => each.name());
}

/** Of a word that is no command: the command that it is for. */
function insteadOf(word: string): string {
  return readyMadeNames().includes(word)
    ? `to run that experiment: ./scriptorium run ${word}`
    : 'to compare frameworks: ./scriptorium quick yjs loro';
}

function textAfter(command: Command): string {
  const exitCodes = [...EXIT_CODES].map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  const examples = EXAMPLES[nameOf(command)] ?? [];
  const last =
    command.parent === null
      ? ['\nEnvironment variables (NO_COLOR, SCRIPTORIUM_CHROME, …): end of docs/commands.md']
      : [];
  return [
    ...(examples.length === 0 ? [] : ['\nExamples:', ...examples.map((line) => `  ./scriptorium ${line}`)]),
    '\nExit codes:',
    ...exitCodes,
    ...last,
  ].join('\n');
}

/** Such as `fargate up`: without the program's own name, which is empty. */
export function nameOf(command: Command): string {
  if (command.parent === null) return '';
  return `${nameOf(command.parent)} ${command.name()}`.trim();
}

/** The launcher prints it before anything is installed. */
export const HELP_FILE = 'cli/help.txt';

/** The help of the whole program, 80 characters wide. */
export async function helpFile(): Promise<string> {
  const program = await createProgram();
  const parts: string[] = [];
  program.configureOutput({ writeOut: (part) => parts.push(part), getOutHelpWidth: () => 80 });
  program.outputHelp();
  return parts.join('');
}

/** A command and all below it, each before its own subcommands. */
export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

export function versionText(): string {
  return `scriptorium ${manifest.version}\nNode ${process.version}`;
}
