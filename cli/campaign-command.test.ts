import { afterAll, expect, test } from 'vitest';
import { folderOfEachTest } from '../tests/folders.ts';
import { runCampaignHere } from './campaign-command.ts';

const folder = folderOfEachTest();
afterAll(() => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
});

const MANY = `
name: tiny
parts:
  - name: there
    question: How many does it carry?
    blocks: 1
    entries:
      - name: many
        experiment: attach
        with: { modes: node, users: 101 }
`;

test('many users at a server of somebody else are refused before any block begins; its plan is printed', async () => {
  await folder.put('tiny.yaml', MANY);
  const run = (flags: object) => runCampaignHere(folder.in('tiny.yaml'), { out: folder.in('out'), quiet: true, ...flags });
  await expect(run({})).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('say --yes') });
  expect((await run({ plan: true })).left).toBe(1);
});
