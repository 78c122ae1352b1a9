/** A project of stand-ins for tests of the launcher: its npm, its Chrome finder and its command line do next to nothing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { PROJECT_ROOT } from '../infra/project.ts';

const TOOLS = 'basename cat chmod cksum cp dirname env flock grep head id ln mkdir mv readlink rm sed sh sleep uname';
/** Where this machine has them; macOS has no flock. */
const TOOL_PATHS = execFileSync('sh', ['-c', `for tool in ${TOOLS}; do command -v $tool; done; true`])
  .toString()
  .trim()
  .split('\n');

/** Where the stand-ins lie: anew for each test. */
export let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "it's a launcher-")));
  cpSync(join(PROJECT_ROOT, 'scriptorium'), join(folder, 'project/scriptorium'));
  put('project/package.json', '{ "type": "module" }');
  put('project/package-lock.json', '{}');
  put('project/cli/main.ts', 'console.log(JSON.stringify({ cwd: process.cwd(), args: process.argv.slice(2) }));');
  put(
    'project/infra/local/chrome.ts',
    `export async function findChrome(environment: NodeJS.ProcessEnv) {
      if (!environment.STAND_IN_CHROME) throw new Error('no Chrome');
      return environment.STAND_IN_CHROME;
    }
    export const downloadedChrome = () => findChrome(process.env);
    export async function chromeVersion() {}`,
  );
  mkdirSync(join(folder, 'bin'));
  for (const path of TOOL_PATHS) symlinkSync(path, join(folder, 'bin', basename(path)));
  symlinkSync(process.execPath, join(folder, 'bin/node'));
});
afterEach(() => rmSync(folder, { recursive: true }));

export function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  chmodSync(join(folder, path), mode);
}

/** An npm whose `ci` installs an empty tree into `$prefix`, the folder after `--prefix`. */
export function putNpm(
  ci = 'mkdir -p "$prefix/node_modules" && echo {} >"$prefix/node_modules/.package-lock.json"',
): void {
  const found = 'prefix=; last=; for word in "$@"; do [ "$last" != --prefix ] || prefix=$word; last=$word; done';
  put('bin/npm', `#!/bin/sh\n${found}\ncase $1 in ci) ${ci} ;; --version) echo 11 ;; esac\n`, 0o755);
}

/** As the launcher leaves it after `npm ci`. */
export function putReadyPackages(): void {
  putNpm();
  put('project/node_modules/.package-lock.json', '{}');
  const stamp = 'printf "%s %s" "$(cksum <package-lock.json)" "$(uname -sm)"';
  const { stdout } = spawnSync('sh', ['-c', stamp], { cwd: join(folder, 'project'), encoding: 'utf8' });
  put('project/.scriptorium/packages', stdout);
}

export function launch(args: string[], options: { as?: string; environment?: Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync(join(folder, options.as ?? 'project/scriptorium'), args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: join(folder, 'bin'), ...options.environment },
  });
  return { status, stdout, steps: stderr.split('\n').filter((line) => line !== '') };
}
