/** `compare`: two runs, or the two halves of one, side by side. */
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { compareHalves, compareRuns } from '../analysis/compare/compare.ts';
import {
  comparisonJson,
  formatComparison,
  formatMarkdownComparison,
  toBencher,
  toGithubActionBenchmark,
} from '../analysis/compare/format.ts';
import { failedThresholds, parseThreshold, type Threshold } from '../analysis/compare/threshold.ts';
import { SCENARIOS } from '../analysis/scenarios/catalogue.ts';
import { projectNames } from '../frameworks/discover.ts';
import { plainText, shellCommand } from '../results/foreign-text.ts';
import { UserError } from '../results/user-error.ts';
import { say } from './terminal.ts';

const COMPARISON_FORMATS = ['table', 'markdown', 'json', 'github-action-benchmark', 'bencher'] as const;
type ComparisonFormat = (typeof COMPARISON_FORMATS)[number];

export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .description('set two runs side by side: the change of each figure, and if it is more than chance')
    .argument('<base>', 'a folder that `run` wrote; without [new], the folder of a run with --against')
    .argument('[new]', 'the folder of another run, compared with <base> as made at another time')
    .option(
      '--fail-if <threshold>',
      'exit with 1 if the condition holds, such as "endToEndLatencyMs.p95 > +10%"; repeatable',
      collectThreshold,
    )
    .option('--fail-on-estimate', 'with fewer than 3 trials, let the estimate of a change decide alone')
    .addOption(new Option('--markdown', 'print Markdown, for a pull request').conflicts('format'))
    .addOption(
      new Option('--format <format>', 'format of the output; the last two give the figures of <new>')
        .choices(COMPARISON_FORMATS)
        .default('table'),
    )
    .action(compareAndPrint);
}

interface CompareFlags {
  failIf?: Threshold[];
  failOnEstimate?: boolean;
  markdown?: boolean;
  format: ComparisonFormat;
}

async function compareAndPrint(base: string, fresh: string | undefined, options: CompareFlags): Promise<void> {
  const { failIf = [], markdown = false, failOnEstimate } = options;
  if (!existsSync(base) && (await projectNames()).includes(base)) {
    const advice = `to compare frameworks: ${shellCommand(['./scriptorium', 'quick', base, fresh ?? 'sharedb'])}`;
    throw new UserError(`${base} is a framework, and compare takes folders of runs; ${advice}`);
  }
  const comparison = await (fresh === undefined ? compareHalves(base) : compareRuns(base, fresh));
  const failures = failedThresholds(comparison, failIf, { onEstimate: failOnEstimate });
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  const outputs: Record<ComparisonFormat, () => string> = {
    table: () => formatComparison(comparison),
    markdown: () => formatMarkdownComparison(comparison, failures),
    json: () => json({ ...comparisonJson(comparison), failures }),
    'github-action-benchmark': () => json(toGithubActionBenchmark(comparison)),
    bencher: () => json(toBencher(comparison)),
  };
  console.log(plainText(outputs[markdown ? 'markdown' : options.format]()));
  for (const failure of failures) say(failure);
  if (failures.length > 0) process.exitCode = 1;
}

export function collectThreshold(text: string, earlier: Threshold[] = []): Threshold[] {
  const figures = Object.values(SCENARIOS).flatMap(({ compared }) => compared);
  return [...earlier, parseThreshold(text, figures)];
}
