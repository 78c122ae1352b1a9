#!/usr/bin/env node
/**
 * `npx scriptorium`: unpacks the project, which this package holds, into the user's cache once, and hands over to its
 * launcher there, which installs what a command needs. Runs go to `results/` in the working directory. Any Node from 18 on.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const archive = fileURLToPath(new URL('project.tar.gz', import.meta.url));
const { SCRIPTORIUM_CACHE, SCRIPTORIUM_RESULTS, XDG_CACHE_HOME } = process.env;
const cache = SCRIPTORIUM_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'scriptorium');
// Also by its content: a version that is packed again may be of other code.
const digest = createHash('sha256').update(readFileSync(archive)).digest('hex').slice(0, 12);
const project = resolve(cache, 'npx', `${version}-${digest}`);

function fail(message) {
  console.error(`scriptorium: ${message}`);
  process.exit(3);
}

if (process.platform === 'win32') {
  fail('Windows itself is not supported; use WSL 2 (https://learn.microsoft.com/windows/wsl) or the container image');
}

// Whole or not at all, also for two that start at once: the first to rename wins.
if (!existsSync(project)) {
  const partial = `${project}.${process.pid}`;
  try {
    mkdirSync(partial, { recursive: true });
  } catch (error) {
    fail(`cannot write to ${cache} (${error.code}); make it writable, or name another directory in SCRIPTORIUM_CACHE`);
  }
  const { status, error, stderr } = spawnSync('tar', ['-xzf', archive, '-C', partial], { encoding: 'utf8' });
  if (status !== 0) {
    rmSync(partial, { recursive: true, force: true });
    fail(`cannot unpack into ${cache} (${error?.message ?? stderr.trim()}); it needs tar and 10 MB of disk there`);
  }
  try {
    renameSync(partial, project);
  } catch {
    rmSync(partial, { recursive: true, force: true });
  }
}

const launched = spawn(join(project, 'scriptorium'), process.argv.slice(2), {
  stdio: 'inherit',
  env: { ...process.env, SCRIPTORIUM_RESULTS: SCRIPTORIUM_RESULTS || resolve('results') },
});
// A terminal sends Ctrl-C to both; the launcher decides when it is over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : launched.kill(signal)));
}
launched.on('error', (error) =>
  fail(`cannot start ${project}/scriptorium (${error.message}); remove that folder and try again`),
);
launched.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});
