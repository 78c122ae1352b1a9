import { existsSync } from 'node:fs';
import { glob, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLES } from '../../cli/examples.ts';
import { createProgram, HELP_FILE, helpFile, nameOf, withSubcommands } from '../../cli/program.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import manifest from '../../package.json' with { type: 'json' };
import { commandsMarkdown } from './commands.ts';
import { linksOf, readDocuments, withoutCodeBlocks } from './documents.ts';
import { INNER_VARIABLES, VARIABLES } from './environment.ts';
import { PARTS, partsOf, withCurrentParts } from './generated-parts.ts';
import { KEPT_TABLES } from './kept-tables.ts';
import { pictureFiles } from './people.ts';
import { withoutPadding } from './test-data/markdown-tables.ts';
import { projectCells } from './test-data/opened-cells.ts';
import { untiedOf } from './tied-figures.ts';

const README_LINES = 110;
const README_COLUMNS = 120;
/** A table or a picture of one is read in a narrow window, too. */
const README_TABLE_COLUMNS = 80;
const README_FIRST_WORDS = 20;
/** Those in docs/ itself; data and project have folders. */
const READER_PAGES = 23;
const PAGE_WORDS = 1500;
const REFERENCE_PAGES = ['commands', 'documents', 'experiments', 'frameworks', 'paper', 'reading-a-run'].map(
  (name) => `docs/${name}.md`,
);
/** All that may read an environment variable: the rooms, the launcher, and the checks of all. */
const SOURCES = [
  '{editors,servers,infra,frameworks,analysis,harness,documents,capabilities,cli,results,traces,tools,tests}/**/*.{ts,sh,yaml}',
  '{infra/**/*Dockerfile,scriptorium,.ci/*,vitest.setup.ts}',
];
/** Of what was, which may be named by names that are gone. */
const HISTORY = 'CHANGELOG.md';

const documents = await readDocuments();
const cells = await projectCells();
const textAt = (path: string) => documents.find((document) => document.path === path)?.text;

/** Without comments. */
const asRead = (text: string) => text.replaceAll(/<!--[\s\S]*?-->/g, '');

test('every generated part has its place, and is what `npm run docs` writes', async () => {
  const parts = documents.flatMap(({ text }) => partsOf(text));
  const names = parts.filter(({ sql }) => sql === undefined).map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(PARTS).sort());
  const kinds = new Set(parts.flatMap(({ name, sql }) => (sql === undefined ? [] : [name])));
  expect([...kinds].sort()).toEqual(Object.keys(KEPT_TABLES).sort());
  for (const { path, text } of documents) {
    expect(withoutPadding(text), path).toBe(withoutPadding(await withCurrentParts(text, cells)));
  }
});

test('the pictures of people are those that `npm run docs` writes', async () => {
  for (const { path, text } of documents) {
    for (const { sql } of partsOf(text).filter(({ name }) => name === 'people')) {
      for (const file of await pictureFiles(sql!, cells))
        expect(await readFile(join(PROJECT_ROOT, dirname(path), file.path), 'utf8')).toBe(file.svg);
    }
  }
});

test('the launcher’s help is that of the program', async () => {
  expect(await readFile(join(PROJECT_ROOT, HELP_FILE), 'utf8')).toBe(await helpFile());
});

test('the help of every command that stands alone has three examples, of commands that there are', async () => {
  const names = withSubcommands(await createProgram()).map(nameOf);
  expect(Object.keys(EXAMPLES).filter((name) => !names.includes(name))).toEqual([]);
  const alone = names.filter(
    (name) => name !== '' && !names.some((other) => other.split(' ')[0] === name.split(' ')[0] && other !== name),
  );
  expect(alone.filter((name) => (EXAMPLES[name]?.length ?? 0) < 2)).toEqual([]);
  const commands = Object.values(EXAMPLES)
    .flat()
    .map((line) => line.split(' ')[0]!);
  expect(commands.filter((name) => !names.includes(name))).toEqual([]);
});

test('every environment variable that the source reads is in the table, and no other of the project’s', async () => {
  const read = new Set<string>();
  for await (const path of glob(SOURCES, { cwd: PROJECT_ROOT })) {
    if (path === 'tools/docs/environment.ts') continue;
    const text = await readFile(join(PROJECT_ROOT, path), 'utf8');
    for (const [name] of text.matchAll(/\bSCRIPTORIUM_[A-Z_]*[A-Z]\b/g)) read.add(name);
    // Tests make up variables for the programs that they start.
    if (path.endsWith('.test.ts')) continue;
    for (const [, name] of text.matchAll(/\bprocess\.env\.([A-Z_]+)\b/g)) read.add(name!);
  }
  const known = [...INNER_VARIABLES, ...Object.values(VARIABLES).flatMap((variables) => Object.keys(variables))];
  expect([...read].filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => name.startsWith('SCRIPTORIUM_') && !read.has(name))).toEqual([]);
});

test('every kept cell’s run is shown, by itself or with the other blocks', async () => {
  const shown = new Set<string>();
  for (const { name, sql } of documents.flatMap(({ text }) => partsOf(text))) {
    if (name === 'people') for (const { run } of cells.climbs) shown.add(run);
    if (sql === undefined) continue;
    const { columns, rows } = await cells.ask(sql);
    if (!columns.includes('cell') || rows.length === 0) continue;
    for (const { run } of await cells.chosen(sql)) shown.add(run);
  }
  const { rows } = await cells.ask('SELECT DISTINCT run, experiment FROM cells');
  expect(rows.map(String).filter((row) => !row.split(',').some((name) => shown.has(name)))).toEqual([]);
});

test('no query finds a cell that is withdrawn', async () => {
  const { rows } = await cells.ask("SELECT run FROM cells WHERE framework = 'loro' AND crowdLateMs IS NOT NULL");
  expect(rows).toEqual([]);
});

test('every figure in the prose of results, and each with a marker elsewhere, is in the data', async () => {
  expect(await untiedOf(documents, cells)).toEqual([]);
});

test('links within the project lead to a file, and to a heading of it', () => {
  const dead = documents.flatMap(({ path, text }) =>
    linksOf(text)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const found = file === '' ? path : normalize(join(dirname(path), file));
        if (!existsSync(join(PROJECT_ROOT, found))) return true;
        const there = textAt(found);
        return anchor !== undefined && there !== undefined && !anchorsOf(there).has(anchor);
      })
      .map((target) => `${path}: ${target}`),
  );
  expect(dead).toEqual([]);
});

test('the files of the source that documents name are there', () => {
  const missing = documents
    .filter(({ path }) => path !== HISTORY)
    .flatMap(({ path, text }) =>
      sourcePathsOf(text)
        .filter((named) => !existsSync(join(PROJECT_ROOT, named)))
        .map((named) => `${path}: ${named}`),
    );
  expect(missing).toEqual([]);
});

test('a source file that a framework’s page, or that of its base, names by itself lies beside the page', () => {
  const missing = documents
    .filter(({ path }) => path.startsWith('editors/'))
    .flatMap(({ path, text }) =>
      [...withoutCodeBlocks(text).matchAll(/`((?:\.\.\/)*[\w-]+(?:\.[\w-]+)*\.ts)`/g)]
        .map(([, named]) => join(dirname(path), named!))
        .filter((file) => !existsSync(join(PROJECT_ROOT, file))),
    );
  expect(missing).toEqual([]);
});

test('every promise on reliability and security names a test that is there', () => {
  for (const path of ['docs/project/reliability.md', 'SECURITY.md']) {
    const tables = textAt(path)!
      .split('\n\n')
      .filter((part) => /^\| *promise *\|/.test(part));
    const rows = tables.flatMap((table) => table.split('\n').slice(2));
    expect(rows.length, path).toBeGreaterThan(10);
    for (const row of rows.filter((each) => each.startsWith('|'))) {
      const named = [
        ...row
          .split('|')
          .at(-2)!
          .matchAll(/(?:\(|`)([\w./-]+\.test\.ts)(?:\)|`)/g),
      ].map(([, file]) => file!);
      expect(named, row).not.toEqual([]);
      const isThere = (file: string) =>
        [PROJECT_ROOT, join(PROJECT_ROOT, dirname(path))].some((at) => existsSync(join(at, file)));
      expect(
        named.filter((file) => !isThere(file)),
        row,
      ).toEqual([]);
    }
  }
});

test('the README can be read in five minutes, in any terminal', () => {
  const text = textAt('README.md')!;
  // Readers do not see queries.
  const lines = text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeLessThanOrEqual(README_LINES);
  expect(text.split('\n').filter((line) => [...line].length > README_COLUMNS)).toEqual([]);
  expect(lines.filter((line) => line.startsWith('|') && [...line].length > README_TABLE_COLUMNS)).toEqual([]);
  expect(/^[^.]+\./m.exec(lines.slice(1).join('\n').trim())![0].split(/\s+/).length).toBeLessThanOrEqual(
    README_FIRST_WORDS,
  );
});

test('readers have few pages, which are short but for reference', () => {
  const pages = documents.filter(({ path }) => /^docs\/[^/]+$/.test(path) && path !== 'docs/README.md');
  expect(pages.length).toBeLessThanOrEqual(READER_PAGES);
  // A table's lines are no words.
  const wordsOf = (text: string) => asRead(text).match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  const long = pages.filter(({ text }) => wordsOf(text) > PAGE_WORDS).map(({ path }) => path);
  expect(long.filter((path) => !REFERENCE_PAGES.includes(path))).toEqual([]);
});

test('the index leads to every page and every picture has its page', async () => {
  const index = linksOf(textAt('docs/README.md')!);
  const files = await readdir(join(PROJECT_ROOT, 'docs'), { recursive: true });
  const pages = files.filter((file) => file.endsWith('.md') && file !== 'README.md');
  expect(pages.filter((page) => !index.includes(page))).toEqual([]);
  const links = documents.flatMap(({ text }) => linksOf(text)).join('\n');
  expect(files.filter((file) => file.endsWith('.png') && !links.includes(basename(file)))).toEqual([]);
});

test('each framework’s page says what its authors recommend, with the source', async () => {
  const frameworks = (await discoverFrameworks()).filter(({ about }) => about.package !== null);
  const unsourced = frameworks.filter(({ name }) => {
    const section = textAt(`editors/${name}/README.md`)!
      .split(/^## /m)
      .find((each) => each.startsWith('What its authors'));
    return !linksOf(section ?? '').some((link) => link.startsWith('https://'));
  });
  expect(unsourced.map(({ name }) => name)).toEqual([]);
});

test('every package is there for something', () => {
  const { dependencies, devDependencies } = manifest;
  const page = textAt('docs/project/dependencies.md')!;
  const names = Object.keys({ ...dependencies, ...devDependencies });
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('anchors are GitHub’s', () => {
  const text = '# What `run` does, and when\n\n## A [link](x.md)!\n## Twice\n## Twice\n```sh\n# no heading\n```';
  expect([...anchorsOf(text)]).toEqual(['what-run-does-and-when', 'a-link', 'twice', 'twice-1']);
});

test('what stands in code is no link', () => {
  expect(linksOf('[a](b.md) `[c](d.md)` ![e](f.png)\n```\n[g](h.md)\n```\n')).toEqual(['b.md', 'f.png']);
});

test('a part that nothing writes is an error', async () => {
  const text = '<!-- prices: written by npm run docs -->\n<!-- end of prices -->';
  await expect(withCurrentParts(text, cells)).rejects.toThrow('nothing writes "prices"');
});

test('commands with arguments, own options, and those that they share', async () => {
  const commands = await commandsMarkdown();
  const run = commands.split(/^## /m).find((section) => section.startsWith('run\n'))!;
  expect(run).toContain('`./scriptorium run [options] <file>`');
  expect(run).toContain('| `--resume` | Continue the run in --out |');
  expect(run).not.toContain('--trials');
  expect(commands).toMatch(/## Flags of an experiment[\s\S]*\| `-n, --trials <count>` \| `trials` \|/);
  expect(commands).toMatch(/`--framework <name>` \| .* \(required\) \|/);
  // As a person writes it, not as the program holds it.
  expect(commands).toContain('How long to look, shared among the frameworks (default: 1m)');
});

/** The anchors of all headings, as GitHub makes them. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutCodeBlocks(markdown).matchAll(/^#{1,6} +(.+)$/gm)) {
    const text = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${slug}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Files and folders of the source that a text names in backticks by their path from the project's folder. */
function sourcePathsOf(markdown: string): string[] {
  const codes = [...withoutCodeBlocks(markdown).matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
  const rooms =
    /^(traces|editors|infra|servers|frameworks|analysis|harness|documents|capabilities|cli|tools|tests|docs|results\/(formats|published|run-folder))\/[\w./-]*$/;
  return codes.filter((code) => rooms.test(code) && (code.endsWith('/') || /\.\w+$/.test(code)));
}
