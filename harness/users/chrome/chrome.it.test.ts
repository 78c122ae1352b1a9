import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { allProcessStats } from '../../../infra/process/stat.ts';

test.runIf(process.platform === 'linux')(
  'all of a Chrome ends with who started it, also a page that hangs',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chrome-test-'));
    const script = `
    import { launchChrome } from ${JSON.stringify(join(import.meta.dirname, 'chrome.ts'))};
    const { pid, browser } = await launchChrome({ show: false });
    await browser.newPage();
    console.log(pid);`;
    const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: folder },
    });
    const [said] = await once(starter.stdout, 'data');
    const ofChrome = () => allProcessStats().filter(({ group, ended }) => group === Number(said) && !ended);
    const commands = await Promise.all(
      ofChrome().map(async ({ pid }) => ({ pid, command: await readFile(`/proc/${pid}/cmdline`, 'utf8') })),
    );
    const pages = commands.filter(({ command }) => command.includes('--type=renderer'));
    expect(pages).not.toEqual([]);
    for (const { pid } of pages) process.kill(pid, 'SIGSTOP');
    starter.kill('SIGKILL');
    await vi.waitUntil(() => ofChrome().length === 0, 10_000);
    await rm(folder, { recursive: true, maxRetries: 3 });
  },
);
