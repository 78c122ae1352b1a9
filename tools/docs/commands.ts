/** Every command with its arguments and options, and the environment variables, in Markdown, from the program itself. */
import { Command } from 'commander';
import { markdownTable } from '../../analysis/tables/render.ts';
import { createProgram, EXIT_CODES, nameOf, withSubcommands } from '../../cli/program.ts';
import { addExperimentOptions, flaggedOptions } from '../../harness/experiment/experiment-options.ts';
import { environmentMarkdown } from './environment.ts';

/** Those that several commands share. */
const EXPERIMENT_OPTIONS = addExperimentOptions(new Command()).options;

export async function commandsMarkdown(): Promise<string> {
  const runnable = withSubcommands(await createProgram()).filter((command) => command.commands.length === 0);
  return [
    ...runnable.map((command) => describe(command)),
    '## Flags of an experiment',
    'Each overrides a property of the experiment file.',
    flagsTable(),
    '## Environment variables',
    environmentMarkdown(),
    '## Exit codes',
    markdownTable(
      ['exit code', 'means'],
      [...EXIT_CODES].map(([code, meaning]) => [String(code), meaning]),
    ),
  ].join('\n\n');
}

function describe(command: Command): string {
  const name = nameOf(command);
  const options = command.options.filter(({ hidden }) => !hidden);
  const own = options.filter((option) => !EXPERIMENT_OPTIONS.includes(option));
  const rows = [
    ...command.registeredArguments.map((argument) => [
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
      argument.description,
    ]),
    ...own.map(optionRow),
  ];
  const usage = `./scriptorium ${name} ${usageOf(command)}`.trim();
  const parts = [`## ${name}`, `${sentence(command.description())}.`, `\`${usage}\``];
  if (rows.length > 0) parts.push(optionsTable(rows));
  if (own.length < options.length) parts.push('It also takes the [flags of an experiment](#flags-of-an-experiment).');
  return parts.join('\n\n');
}

function flagsTable(): string {
  const rows = flaggedOptions().map(({ flag, path, description }) => [
    `\`${flag.form}\``,
    `\`${path.join('.')}\``,
    description,
  ]);
  return markdownTable(['flag', 'property', 'what it is'], rows);
}

function optionsTable(rows: readonly (readonly string[])[]): string {
  return markdownTable(
    ['argument or option', 'what it is'],
    rows.map(([written, meaning]) => [`\`${written}\``, sentence(meaning!)]),
  );
}

function optionRow(option: Command['options'][number]): string[] {
  const { flags, description, defaultValue, defaultValueDescription, argChoices, mandatory } = option;
  const choices = argChoices === undefined ? '' : ` (one of: ${argChoices.join(', ')})`;
  const isGiven = defaultValue !== undefined && !(Array.isArray(defaultValue) && defaultValue.length === 0);
  const given = isGiven ? ` (default: ${defaultValueDescription ?? defaultValue})` : '';
  return [flags, `${description}${choices}${given}${mandatory ? ' (required)' : ''}`];
}

/** Commander's, without the word for options if there are none but --help. */
function usageOf(command: Command): string {
  return command.options.length === 0
    ? command.usage().replace('[options] ', '').replace('[options]', '').trim()
    : command.usage();
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
