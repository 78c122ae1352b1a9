/** The variables of this process that a child sees: it prints them. */
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { nodeCommand, runCommand, runTool } from './child.ts';
import { childEnvironment } from './environment.ts';

const PRINT = ['-e', 'console.log(JSON.stringify(process.env))'];
const SECRETS = {
  ...{ SCRIPTORIUM_TOKEN: 's3cret', SCRIPTORIUM_TOKEN_FILE: '/s3cret', SCRIPTORIUM_CONTROL_URL: 'ws://h/s3cret' },
  ...{
    AWS_ACCESS_KEY_ID: 's3cret',
    AWS_SECRET_ACCESS_KEY: 's3cret',
    AWS_SESSION_TOKEN: 's3cret',
    AWS_PROFILE: 's3cret',
  },
  ...{ GH_TOKEN: 's3cret', GITHUB_TOKEN: 's3cret', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 's3cret', CI_JOB_TOKEN: 's3cret' },
  ...{ NPM_TOKEN: 's3cret', NODE_AUTH_TOKEN: 's3cret', 'npm_config_//registry/:_authToken': 's3cret' },
  ...{ SSH_AUTH_SOCK: '/s3cret', DATABASE_URL: 's3cret', PGPASSWORD: 's3cret', OPENAI_API_KEY: 's3cret' },
};
const NEEDED = {
  ...{ SCRIPTORIUM_CHROME: '/opt/chrome', SCRIPTORIUM_CACHE: '/cache', SCRIPTORIUM_SPEED_TEST: 'off' },
  ...{ LC_ALL: 'C', TMPDIR: '/tmp', DISPLAY: ':0', XDG_CACHE_HOME: '/cache', HTTPS_PROXY: 'http://proxy:1' },
  ...{ NODE_OPTIONS: '--no-warnings', NODE_EXTRA_CA_CERTS: '/etc/hosts' },
};

afterEach(() => vi.unstubAllEnvs());

function stub(): void {
  for (const [name, value] of Object.entries({ ...SECRETS, ...NEEDED })) vi.stubEnv(name, value);
}

test('a child gets what it needs, and none of the account’s secrets', async () => {
  stub();
  const seen = await runCommand(nodeCommand(...(PRINT as [string, string])));
  expect(JSON.parse(seen)).toMatchObject({ ...NEEDED, PATH: process.env.PATH });
  expect(seen).not.toContain('s3cret');
});

test('a secret that is handed on by name arrives', async () => {
  stub();
  const environment = { ...childEnvironment(), SCRIPTORIUM_TOKEN: 'given' };
  const seen = JSON.parse(await runCommand(nodeCommand(...(PRINT as [string, string])), { environment }));
  expect(seen.SCRIPTORIUM_TOKEN).toBe('given');
  expect(seen).not.toHaveProperty('AWS_PROFILE');
});

test('a path that a person wrote means the same in a child with another working folder', async () => {
  vi.stubEnv('SCRIPTORIUM_CHROME', './chrome');
  vi.stubEnv('SCRIPTORIUM_CACHE', '');
  const seen = JSON.parse(await runCommand(nodeCommand(...(PRINT as [string, string])), { folder: tmpdir() }));
  expect(seen).toMatchObject({ SCRIPTORIUM_CHROME: resolve('chrome'), SCRIPTORIUM_CACHE: '' });
});

test('a tool of the person’s, such as npm, has all of their environment', async () => {
  stub();
  const seen = JSON.parse(await runTool(nodeCommand(...(PRINT as [string, string]))));
  expect(seen).toMatchObject({ NPM_TOKEN: 's3cret', SSH_AUTH_SOCK: '/s3cret' });
});
