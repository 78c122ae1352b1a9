/** Flags that override the experiment file, for the commands that take one: those that its properties declare. */
import { type Command, Option } from 'commander';
import { type ExperimentOption, flaggedOptions } from './experiment-options.ts';
import type { Path } from './property.ts';

/** A property set by a flag; its problems name the flag. */
export interface Override {
  flag: string;
  path: Path;
  value: unknown;
}

const FLAGS = flaggedOptions().map((option) => {
  const { flag, path } = option;
  return { option, flag: new Option(flag.form, `instead of the file's ${path.join('.')}, such as ${flag.example}`) };
});

/** Gives a command the flags that override properties of the experiment file, but for those that it settles itself. */
export function addExperimentOptions(command: Command, { but = [] }: { but?: readonly string[] } = {}): Command {
  for (const { flag, option } of FLAGS) if (!but.includes(option.path.join('.'))) command.addOption(flag);
  return command;
}

/**
 * The values of flags, for `loadExperiment`.
 *
 * @param options commander's options of a command that `addExperimentOptions` prepared; others in it are left alone
 */
export function overridesFrom(options: Record<string, unknown>): Override[] {
  return FLAGS.flatMap(({ option, flag }) => {
    const text = options[flag.attributeName()];
    return typeof text === 'string' ? [{ flag: flag.long!, path: option.path, value: read(text, option) }] : [];
  });
}

/** A list's values stand with commas between them. */
function read(text: string, { isList, written }: ExperimentOption): unknown {
  if (isList)
    return text.split(',').map((each) => asNumber(each.trim(), (value) => written.safeParse([value]).success));
  return asNumber(text, (value) => written.safeParse(value).success);
}

/** A number if only a number will do; any other text stays as it is, for the file's validation to judge. */
function asNumber(text: string, isValid: (value: unknown) => boolean): unknown {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  return isNumber && !isValid(text) && isValid(Number(text)) ? Number(text) : text;
}
