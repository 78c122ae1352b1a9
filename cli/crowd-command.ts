/** `scriptorium crowd …`: the recordings of crowds. Results go to stdout, progress to stderr. */
import type { Command } from 'commander';
import { crowdsOf } from '../harness/crowd/needed-recordings.ts';
import {
  type KeptRecording,
  keptRecordings,
  loadOrRecord,
  recordersThatFit,
  recordingFolder,
  recordingProgress,
} from '../harness/crowd/recordings.ts';
import { loadExperiment, type TypingExperiment } from '../harness/experiment/experiment-file.ts';
import { addExperimentOptions, overridesFrom } from '../harness/experiment/experiment-options.ts';
import { shortPath } from '../infra/project.ts';
import { severalAtOnce } from '../infra/several-at-once.ts';
import { alignTable } from '../results/text-table.ts';
import { UserError } from '../results/user-error.ts';
import { runInterruptibly } from './interrupt.ts';
import { say } from './terminal.ts';

export function addCrowdCommand(program: Command): void {
  const crowd = program
    .command('crowd')
    .description('recordings of a crowd’s typing, which a run plays beside its probes: make, list, check');

  addExperimentOptions(
    crowd
      .command('record')
      .description('make the missing recordings that an experiment needs; a run makes them too')
      .argument('<file>', 'the experiment: a YAML file that says how many users are probes'),
  ).action(async (file: string, options: Record<string, unknown>) => {
    await recordAll(await loadExperiment({ path: file, overrides: overridesFrom(options) }), file);
  });

  crowd
    .command('list')
    .description('list the kept recordings, and mark those that today’s sources and packages would make differently')
    .action(async () => console.log(formatRecordings(await keptRecordings())));

  crowd
    .command('check')
    .description('read every kept recording, and name those that are damaged or of another version')
    .action(async () => {
      const kept = await keptRecordings({ thorough: true });
      console.log(formatRecordings(kept));
      const damaged = kept.flatMap(({ problem }) => (problem === null ? [] : [problem]));
      if (damaged.length > 0) throw new UserError(damaged.join('\n'));
    });
}

async function recordAll(loaded: TypingExperiment, file: string): Promise<void> {
  const plans = await crowdsOf(loaded);
  if (plans.length === 0) {
    throw new UserError(
      `${file} needs no recording: no cell has users beside its probes at a framework whose crowd is recorded. ` +
        'Give it fewer probes than users, such as probes: 2.',
    );
  }
  await runInterruptibly(
    { message: 'Interrupted. Recordings that were finished are kept.', confirm() {} },
    (signal) => {
      return severalAtOnce(plans, recordersThatFit(plans), async (plan) => {
        const { framework, users, first, seed } = plan.key;
        await loadOrRecord(plan, { signal, onProgress: recordingProgress(plan, say) });
        const folder = shortPath(recordingFolder(plan.key));
        console.log(`${framework}, ${users - first} of ${users} users, seed ${seed}: ${folder}`);
      });
    },
  );
}

function formatRecordings(kept: readonly KeptRecording[]): string {
  if (kept.length === 0) return 'No recordings are kept. A run makes those that it needs.';
  return alignTable([
    ['framework', 'crowd', 'typing', 'characters', 'MiB', 'state', 'folder'],
    ...kept.map(({ folder, bytes, head, problem, isCurrent }) => [
      head?.key.framework ?? '–',
      head === null ? '–' : `${head.key.users - head.key.first} of ${head.key.users}`,
      head === null ? '–' : `${head.key.typingMs / 1000} s`,
      head?.characters?.toLocaleString('en') ?? '–',
      (bytes / 2 ** 20).toFixed(1),
      problem !== null ? 'damaged, or of another format' : isCurrent ? 'current' : 'of other sources or packages',
      shortPath(folder),
    ]),
  ]);
}
