import { expect, test } from 'vitest';
import { commandsMarkdown } from './commands.ts';

test('commands with arguments, own options, and those that they share', async () => {
  const commands = await commandsMarkdown();
  const run = commands.split(/^## /m).find((section) => section.startsWith('run\n'))!;
  expect(run).toContain('`./scriptorium run [options] <file>`');
  expect(run).toContain('| `--resume` | Continue the run in --out |');
  expect(run).not.toContain('--trials');
  expect(commands).toMatch(/## Flags of an experiment[\s\S]*\| `--trials <count>` \| `trials` \|/);
});
