/** `max`: how many users a framework carries, and the resource that runs out first. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { parseCondition } from '../analysis/cell/condition.ts';
import { admitAll } from '../frameworks/admit.ts';
import { MODE_NAMES, type MODES } from '../frameworks/modes.ts';
import { addExperimentOptions, type Override, overridesFrom } from '../harness/experiment/experiment-options.ts';
import { thisMachine } from '../harness/fleets/fleet-kind.ts';
import { findMax } from '../harness/max/find-max.ts';
import { filesOf, formatFound } from '../harness/max/found.ts';
import type { Criterion } from '../harness/max/outcome.ts';
import { EDGE_TRIALS } from '../harness/max/search.ts';
import { CONDITIONS_FILE, planSearch } from '../harness/max/search-plan.ts';
import { shortPath } from '../infra/project.ts';
import { UserError } from '../results/user-error.ts';
import { parseCount, parsePercent, parseTime, parseUsers } from './parse-number.ts';
import { addRunOptions, refuseNowhere } from './run-command.ts';
import { addServerOptions, type ServerFlags, serverOverrides } from './server-options.ts';
import { printEither, say } from './terminal.ts';
import { outputDirectory, runWatched } from './watched-run.ts';

interface MaxFlags extends ServerFlags {
  server?: string;
  servers?: string;
  mode: keyof typeof MODES;
  criterion: 'paper' | 'smooth';
  where?: string[];
  from?: number;
  atMost?: number;
  precision: number;
  edgeTrials: number;
  stopAfter?: number;
  conditions: string;
  out?: string;
  resume?: boolean;
  show?: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** Properties that the search chooses itself. */
const SETTLED = ['frameworks', 'modes', 'users', 'trials', 'base', 'engines'];
/** Those about a server that runs already; --yes may be about the servers of an experiment file, too. */
const SERVER_OPTIONS = addServerOptions(new Command()).options.filter(({ long }) => long !== '--yes');
const DEFAULT_PRECISION_PERCENT = 5;

export function addMaxCommand(program: Command): void {
  const max = program
    .command('max')
    .description('find how many users a framework carries on this machine, and the resource that runs out first')
    .argument('<frameworks...>', 'the frameworks to search for, such as yjs sharedb')
    .addOption(new Option('--mode <mode>', 'the users’ editor').choices(MODE_NAMES).default('optquill'))
    .addOption(
      new Option('--criterion <name>', 'the bounds that count: the paper’s "fully functional", or "smooth"')
        .choices(['paper', 'smooth'])
        .default('paper'),
    )
    .addOption(
      new Option(
        '--where <condition>',
        'a bound of your own instead, such as "endToEndLatencyMs.p95 < 500"; repeatable',
      )
        .argParser((text, earlier: string[] = []) => [...earlier, text])
        .conflicts('criterion'),
    )
    .option('--from <users>', 'fewest users to try (default: the fewest that one trial can judge)', parseUsers)
    .option(
      '--at-most <users>',
      'most users to try (default: 256, or as many as memory holds; 100 at --server without --yes)',
      parseUsers,
    )
    .option('--precision <percent>', 'largest error of the answer, in percent', parsePercent, DEFAULT_PRECISION_PERCENT)
    .option(
      '--edge-trials <count>',
      'trials of each count at the edge, of which more than half must agree',
      parseEdgeTrials,
      EDGE_TRIALS,
    )
    .option('--stop-after <time>', 'time limit, such as 2h; a trial that could overrun it is not started', parseTime)
    .option(
      '--conditions <file>',
      'an experiment file for all else; its users and frameworks are ignored',
      CONDITIONS_FILE_SHOWN,
    );
  max.option(
    '--server <url>',
    'a server that runs already, instead of one started here; the options below, up to --yes, are about it',
  );
  addRunOptions(addExperimentOptions(addServerOptions(max), { but: SETTLED }))
    .option('--resume', 'continue the search in --out')
    .action(searchAndPrint);
}

/** As a person would write it, so that help and documents are the same everywhere. */
const CONDITIONS_FILE_SHOWN = 'harness/experiments/max.yaml';

async function searchAndPrint(frameworks: string[], flags: MaxFlags): Promise<void> {
  const { mode, resume = false, show = false } = flags;
  const startedMs = Date.now();
  refuseNowhere(flags);
  if (flags.from !== undefined && flags.atMost !== undefined && flags.from > flags.atMost) {
    throw new UserError(`--from ${flags.from} is more than --at-most ${flags.atMost}; write a smaller --from`);
  }
  // Refused before a file is that the person never named.
  await admitAll(frameworks, { from: process.cwd(), say });
  const criterion: Criterion =
    flags.where === undefined
      ? { name: flags.criterion }
      : { name: 'where', conditions: flags.where.map(parseCondition) };
  const { bounds, notes, ...loaded } = await planSearch(
    {
      frameworks,
      mode,
      criterion,
      conditions: flags.conditions === CONDITIONS_FILE_SHOWN ? CONDITIONS_FILE : flags.conditions,
      overrides: [...serverOf(frameworks, flags), ...overridesFrom({ ...flags })],
      from: flags.from,
      atMost: flags.atMost,
      precisionPercent: flags.precision,
      edgeTrials: flags.edgeTrials,
      isAgreed: flags.yes,
    },
    thisMachine(),
  );
  const { experiment } = loaded;
  const directory = await outputDirectory(experiment.name, flags.out);
  const deadlineMs = flags.stopAfter === undefined ? null : startedMs + flags.stopAfter;
  const found = await runWatched(
    { experiment, frameworks: loaded.frameworks, directory, plan: [], canResume: true, quiet: flags.quiet },
    async (watched) => {
      for (const note of notes) watched.observer.onNotice(note);
      const search = { ...loaded, criterion, bounds, directory, resume, show, deadlineMs, isAgreed: flags.yes };
      return findMax({ ...search, ...watched });
    },
  );
  const where = shortPath(directory);
  printEither(
    flags.json,
    found,
    () => `${formatFound(found, criterion)}\n\nResults: ${[where, ...filesOf(found)].join(', ')}`,
  );
  const isWithoutNumber = found.some(
    ({ isOver, largestHeld, end }) => !isOver || (largestHeld === null && end?.outcome !== 'missed'),
  );
  if (isWithoutNumber) process.exitCode = 1;
}

/** @throws UserError (2) if several frameworks are to go to one server, if servers are to start too, or what leads to one is given without it */
function serverOf(frameworks: readonly string[], flags: MaxFlags): Override[] {
  const { server: url } = flags;
  if (url === undefined) {
    const given = Object.entries(flags).filter(([, value]) => [value].flat().length > 0);
    const stray = SERVER_OPTIONS.filter((option) => given.some(([name]) => name === option.attributeName()));
    if (stray.length === 0) return [];
    throw new UserError(`for --server URL only: ${stray.map(({ long }) => long).join(', ')}; give that too`);
  }
  if (flags.servers !== undefined) {
    throw new UserError(
      '--server leads to one that runs already, and --servers counts those that each trial starts; give one of them',
    );
  }
  const [framework, ...others] = frameworks as [string, ...string[]];
  const from = { url: '--server', framework: '<frameworks>' };
  if (others.length === 0) return serverOverrides({ url, framework, from }, flags);
  throw new UserError(
    `--server takes one framework, and ${frameworks.length} are named; write "servers" in a file of --conditions, one for each`,
  );
}

function parseEdgeTrials(text: string): number {
  const trials = parseCount(text);
  if (trials < EDGE_TRIALS) throw new InvalidArgumentError(`Give ${EDGE_TRIALS} or more: fewer decide nothing.`);
  return trials;
}
