/** Flags that override the experiment file, for the commands that take one. */
import { type Command, Option } from 'commander';
import { FLEETS } from './experiment.ts';
import type { Path } from './experiment-rules.ts';

/** A property set by a flag; its problems name the flag. */
export interface Override {
  flag: string;
  path: Path;
  value: unknown;
}

interface Flag {
  flag: string;
  argument: string;
  path: Path;
  description: string;
  read(text: string): unknown;
}

/** Text that is a number becomes one; any other stays as it is, for the file's validation to judge. */
const scalar = (text: string): unknown => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
const list = (text: string): unknown => text.split(',').map((each) => scalar(each.trim()));
const asWritten = (text: string): unknown => text;

const FLAGS: Flag[] = [
  { flag: '--frameworks', argument: '<names>', path: ['frameworks'], description: 'such as yjs', read: list },
  { flag: '--modes', argument: '<names>', path: ['modes'], description: 'such as optquill,noquill', read: list },
  { flag: '--users', argument: '<counts>', path: ['users'], description: 'such as 2,4,8', read: list },
  { flag: '--trials', argument: '<count>', path: ['trials'], description: 'runs of each cell', read: scalar },
  { flag: '--trace', argument: '<name>', path: ['trace'], description: 'what the users type', read: asWritten },
  { flag: '--seed', argument: '<number>', path: ['seed'], description: 'where randomness comes from', read: scalar },
  {
    flag: '--warm-up',
    argument: '<time>',
    path: ['durations', 'warmUp'],
    description: 'typing before the measured window, such as 10s',
    read: asWritten,
  },
  {
    flag: '--measure',
    argument: '<time>',
    path: ['durations', 'measure'],
    description: 'the measured window, such as 60s',
    read: asWritten,
  },
  {
    flag: '--profile',
    argument: '<time>',
    path: ['durations', 'profile'],
    description: 'typing while CPU profiles are taken; 0s for none',
    read: asWritten,
  },
  {
    flag: '--settle',
    argument: '<time>',
    path: ['durations', 'settle'],
    description: 'at most so long may replicas take to agree',
    read: asWritten,
  },
  {
    flag: '--delay',
    argument: '<time>',
    path: ['network', 'oneWayDelay'],
    description: 'put between each user and the server, each way, such as 30ms',
    read: asWritten,
  },
  {
    flag: '--on',
    argument: '<fleet>',
    path: ['fleet', 'on'],
    description: `where processes run: ${FLEETS.join(', ')}`,
    read: asWritten,
  },
  {
    flag: '--region',
    argument: '<name>',
    path: ['fleet', 'region'],
    description: 'the AWS region of the server, such as us-east-1',
    read: asWritten,
  },
];

const optionOf = ({ flag, argument, description }: Flag) =>
  new Option(`${flag} ${argument}`, `instead of the file's: ${description}`);

/** Gives a command the flags that override properties of the experiment file. */
export function addExperimentOptions(command: Command): Command {
  for (const flag of FLAGS) command.addOption(optionOf(flag));
  return command;
}

/**
 * What the flags say, for `loadExperiment`.
 *
 * @param options commander's options of a command that `addExperimentOptions` prepared; others in it are left alone
 */
export function overridesFrom(options: Record<string, unknown>): Override[] {
  return FLAGS.flatMap((flag) => {
    const text = options[optionOf(flag).attributeName()];
    return typeof text === 'string' ? [{ flag: flag.flag, path: flag.path, value: flag.read(text) }] : [];
  });
}
