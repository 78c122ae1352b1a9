/** The size of each room: a table of docs/project/architecture.md. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { markdownTable } from '../../analysis/tables/render.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';

/** From the ground up, as in the page's table of rooms. */
const ROOMS = [
  ...['results', 'traces', 'infra', 'editors', 'servers', 'frameworks', 'analysis', 'harness', 'documents'],
  ...['capabilities', 'cli', 'tools', 'tests'],
];
const WRITTEN_BY_HAND = '*.{ts,mjs,sql,css,html,rs,py,sh}';
/** Build products, packages, and runs, which lie beside the project's own folders in `results/`. */
const LEFT_OUT = /(^|\/)(node_modules|target)\/|^results\/(?!formats|published|run-folder)[^/]+\//;
/** Tests, with what only they import, and benches of one function. */
const TESTS = /^tests\/|\.(test|bench)\.ts$|\/test-data\//;
/** Programs that assert things, as tests do, but of libraries and of whole runs. */
const EVIDENCE = /^(capabilities\/programs|tools\/nemesis)\//;

const KINDS = ['source', 'evidence', 'tests'] as const;
type Kind = (typeof KINDS)[number];

function kindOf(file: string): Kind {
  if (TESTS.test(file)) return 'tests';
  return EVIDENCE.test(file) ? 'evidence' : 'source';
}

/** A row for each room, and one for all. */
export async function sizesMarkdown(root: string = PROJECT_ROOT): Promise<string> {
  const rooms = await Promise.all(ROOMS.map((room) => linesOf(root, room)));
  const rows = rooms.map((lines, index) => [`\`${ROOMS[index]}/\``, ...KINDS.map((kind) => thousands(lines[kind]))]);
  const all = KINDS.map((kind) => thousands(rooms.reduce((sum, lines) => sum + lines[kind], 0)));
  return markdownTable(['room', ...KINDS], [...rows, ['all', ...all]]);
}

async function linesOf(root: string, room: string): Promise<Record<Kind, number>> {
  const lines = { source: 0, evidence: 0, tests: 0 };
  for await (const file of glob(`${room}/**/${WRITTEN_BY_HAND}`, { cwd: root })) {
    if (!LEFT_OUT.test(file)) lines[kindOf(file)] += (await readFile(join(root, file), 'utf8')).split('\n').length - 1;
  }
  return lines;
}

/** To hundreds, so that the page does not change with every line. */
function thousands(lines: number): string {
  return lines === 0 ? '–' : (lines / 1000).toFixed(1);
}
