/** The image's recipe: whose scripts run while it is built, and as whom. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../project.ts';

const read = (path: string) => readFileSync(`${PROJECT_ROOT}/${path}`, 'utf8');
const stages = read('infra/compose/Dockerfile')
  .split(/^FROM /m)
  .slice(1);

test('packages’ scripts run for the names of package.json alone, as in the launcher', () => {
  const commands = stages.join('').match(/npm (ci|install|rebuild)\b[^&\n]*/g);
  expect(commands).toEqual([
    expect.stringMatching(/^npm ci --ignore-scripts /),
    expect.stringMatching(/^npm rebuild --ignore-scripts=false \$\(node -p ".*package.json.*mayRunInstallScripts/),
  ]);
  const { mayRunInstallScripts } = JSON.parse(read('package.json'));
  expect(mayRunInstallScripts).toEqual(['cbor-extract', 'classic-level', 'leveldown', 'lmdb', 'msgpackr-extract']);
});

test('no code of a package runs as root, neither while it is built nor in it', () => {
  for (const stage of stages) {
    const root = stage.split(/^USER node$/m)[0]!;
    // Those that begin with another of these stages have its account.
    if (/^(packages|base)\b/.test(stage)) continue;
    expect(root).not.toMatch(/^RUN .*\b(npm|node -|node --)|^CMD|^ENTRYPOINT/m);
  }
  expect(stages.find((stage) => / AS base$/m.test(stage))).toMatch(/^USER node$/m);
});

test('stores that are programs are in it', () => {
  const installed = stages
    .find((stage) => / AS base$/m.test(stage))!
    .match(/apt-get install ([^&]*)/)![1]!
    .split(/\s+/);
  expect(installed).toEqual(expect.arrayContaining(['postgresql', 'redis-server']));
});

test('what runs in it cannot change its own code', () => {
  const copies = stages.find((stage) => / AS base$/m.test(stage))!.match(/^COPY .*$/gm)!;
  // Docker's older builder keeps the owner of what another stage made.
  for (const line of copies) expect(line).toMatch(/^COPY (--chown=root:root --from=|\. )/);
});
