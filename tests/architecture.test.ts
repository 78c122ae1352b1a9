/**
 * The rules on imports: one way between the rooms, no circle inside any folder, nothing of Node in the browser's code; type imports
 * count, tests and benchmarks may import what they like. And two rules on words: no program reads sentences, and figures' names
 * stand in catalogues alone.
 */
import { globSync, readFileSync } from 'node:fs';
import { posix as path } from 'node:path';
import { expect, test } from 'vitest';
import { FIGURES } from '../analysis/figures/catalogue.ts';
import { packageOf } from '../frameworks/imports.ts';
import { PROJECT_ROOT } from '../infra/project.ts';

const UP_TO_ANALYSIS = ['results', 'traces', 'infra', 'editors', 'servers', 'frameworks', 'analysis'];
const UP_TO_CAPABILITIES = [...UP_TO_ANALYSIS, 'harness', 'documents', 'capabilities'];
/** Each room from the ground up, with those that it may import; nobody imports `tools` and `tests`. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  results: [],
  traces: ['results'],
  infra: ['results'],
  editors: [],
  servers: ['editors', 'infra', 'results'],
  frameworks: ['results', 'traces', 'infra', 'editors', 'servers'],
  analysis: ['results'],
  harness: UP_TO_ANALYSIS,
  documents: [...UP_TO_ANALYSIS, 'harness'],
  capabilities: UP_TO_ANALYSIS,
  cli: UP_TO_CAPABILITIES,
  tools: [...UP_TO_CAPABILITIES, 'cli'],
  tests: [...UP_TO_CAPABILITIES, 'cli'],
};
const EXEMPT = /\.(test|bench)\.ts$|\/test-data\//;
const SPECIFIER = /(?:\bfrom|\bimport\s*\(|\bimport)\s*'([^']+)'/g;

interface Import {
  from: string;
  /** A file of the project, or a package's name. */
  to: string;
}

const textOf = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), 'utf8');
const files = globSync(`{${Object.keys(MAY_IMPORT)}}/**/*.ts`, { cwd: PROJECT_ROOT }).filter(
  (file) => !EXEMPT.test(file),
);
const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(path.join(PROJECT_ROOT, from), 'utf8').matchAll(SPECIFIER)].map(([, to]) => ({
    from,
    to: to!.startsWith('.') ? path.join(path.dirname(from), to!) : to!,
  })),
);
/** Imports that are loaded together with a file: neither types, nor imports that run later. */
function loadedBy(from: string): Import[] {
  if (!from.endsWith('.ts')) return [];
  const source = readFileSync(path.join(PROJECT_ROOT, from), 'utf8');
  return [...source.matchAll(/^(?:import|export) (?!type )(?:[^'";]*? from )?'([^']+)'/gm)].map(([, to]) => ({
    from,
    to: to!.startsWith('.') ? path.join(path.dirname(from), to!) : to!,
  }));
}
const written = ({ from, to }: Import) => `${from} → ${to}`;

/** The imports of one circle among a folder's files and subfolders, each subfolder counted as one; null if there is none. */
function circleIn(folder: string, all: readonly Import[]): string[] | null {
  const child = (file: string) => file.slice(folder.length).split('/')[0]!;
  const inside = all.filter(
    ({ from, to }) => from.startsWith(folder) && to.startsWith(folder) && child(from) !== child(to),
  );
  const cleared = new Set<string>();
  const follow = (name: string, way: Import[]): Import[] | null => {
    const start = way.findIndex(({ from }) => child(from) === name);
    if (start !== -1) return way.slice(start);
    if (cleared.has(name)) return null;
    cleared.add(name);
    for (const next of inside.filter(({ from }) => child(from) === name)) {
      const circle = follow(child(next.to), [...way, next]);
      if (circle !== null) return circle;
    }
    return null;
  };
  for (const { from } of inside) {
    const circle = follow(child(from), []);
    if (circle !== null) return circle.map(written);
  }
  return null;
}

test('a room imports only the rooms that stand below it', () => {
  const room = (file: string) => file.split('/')[0]!;
  const wrong = imports.filter(
    ({ from, to }) =>
      room(to) in MAY_IMPORT &&
      ![room(from), ...MAY_IMPORT[room(from)]!].some((allowed) => `${to}/`.startsWith(`${allowed}/`)),
  );
  expect(wrong.map(written)).toEqual([]);
});

test('one module starts child processes', () => {
  // The nemesis looks for processes that a killed run leaves; that module would clear them away.
  const exempt = /^(infra\/process|tools\/nemesis|tests)\//;
  const wrong = imports.filter(({ from, to }) => to === 'node:child_process' && !exempt.test(from));
  expect(wrong.map(written)).toEqual([]);
});

test('editors and pages run in a browser: they import nothing of Node', () => {
  const inBrowser = /^editors\/|\/page\//;
  const wrong = imports.filter(({ from, to }) => inBrowser.test(from) && to.startsWith('node:'));
  expect(wrong.map(written)).toEqual([]);
});

test('the process that coordinates trials loads what is large only where it needs it', () => {
  const large = /^(@duckdb\/|vite$|puppeteer-core|@puppeteer\/|@vercel\/nft$|@aws-sdk\/)/;
  const fleets = files.filter((file) => /^harness\/fleets\/[^/]+\/fleet\.ts$/.test(file));
  const found: string[] = [];
  const follow = (file: string, way: string[]) => {
    if (seen.has(file)) return;
    seen.add(file);
    if (large.test(file)) found.push([...way, file].join(' → '));
    for (const { to } of loadedBy(file)) follow(to, [...way, file]);
  };
  const seen = new Set<string>();
  for (const entry of ['cli/main.ts', 'cli/command-line.ts', ...fleets]) follow(entry, []);
  expect(seen.size).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test('commands, and the processes of runs, begin without packages that only some runs take', () => {
  const { devDependencies } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8'));
  const isEntry = /^cli\/|^(harness|frameworks|analysis|infra)\/(.*[/-])?main\.ts$|^harness\/fleets\/[^/]+\/fleet\.ts$/;
  const seen = new Set<string>();
  const waiting = files.filter((file) => isEntry.test(file)).map((file) => [file]);
  const found: string[] = [];
  for (const way of waiting) {
    const file = way.at(-1)!;
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { to } of loadedBy(file)) waiting.push([...way, to]);
    if (packageOf(file) in devDependencies) found.push(way.join(' → '));
  }
  expect(seen.size).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test('programs go by the codes of messages: none looks into a reason, a note or a sentence', () => {
  const lookedInto =
    /\b(?:reason|note|sentence|warning)s?\.(?:startsWith|endsWith|includes|match|search|split|replace)\(/;
  const byPattern = /\.(?:test|exec)\((?:reason|note|sentence|warning)\b/;
  const wrong = files.filter((file) => {
    const source = readFileSync(path.join(PROJECT_ROOT, file), 'utf8');
    return lookedInto.test(source) || byPattern.test(source);
  });
  expect(wrong).toEqual([]);
});

test('a framework is looked up where an experiment is loaded and where a process is told a name, and handed on from there', () => {
  const entries = /(^|[/-])main\.ts$|^harness\/experiment\//;
  // Of another version of the project; and what looks up.
  const others = /^harness\/run\/base\.ts$|^frameworks\/(admit|discover)\.ts$|^tests\//;
  const wrong = files.filter(
    (file) => !entries.test(file) && !others.test(file) && /\b(findFrameworks?|lookUp)\b/.test(textOf(file)),
  );
  expect(wrong).toEqual([]);
  const variables = files.filter((file) => /\bSCRIPTORIUM_(TREES|OUTSIDE)\b/.test(textOf(file)));
  expect(variables.sort()).toEqual(['frameworks/places.ts', 'tools/docs/environment.ts']);
});

test('typing and documents are scenarios of one kind: one cell, one analysis, one report', () => {
  const apart = /\b(isOfDocuments|AnalysedDocument\w*|\w+DocumentReport|CATALOGUES)\b/;
  expect(files.filter((file) => apart.test(textOf(file)))).toEqual([]);
});

test('code asks what a framework can do, never for its name', () => {
  const names = globSync('editors/*/about.ts', { cwd: PROJECT_ROOT }).map((file) => file.split('/')[1]!);
  const literal = new RegExp(`(['"\`])(${names.join('|')})\\1`);
  // Libraries, their packages and engines are called like the frameworks that are made of them.
  const isOfLibrary = (line: string) => /package|librar|engine|\b(import|from|require)\b/i.test(line);
  // The frameworks; programs on libraries; what scaffolds write; rigs.
  const exempt = /^(editors|servers|capabilities|tests|documents\/engines|frameworks\/scaffold\/templates)\//;
  const allowed = [
    // Defaults of experiments, and what a bench measures if nobody says.
    ...['harness/experiment/experiment.ts', 'harness/experiment/document-experiments.ts', 'tools/bench/main.ts'],
    // An example in a message, and a folder of results.
    ...['cli/compare-command.ts', 'cli/run-command.ts'],
    // The cells that kept tables divide by.
    'analysis/campaign/paired-blocks.ts',
    // Pages about libraries.
    ...['tools/docs/carried.ts', 'tools/docs/choose.ts'],
  ];
  const wrong = files
    .filter((file) => !exempt.test(file) && !allowed.includes(file))
    .flatMap((file) =>
      textOf(file)
        .split('\n')
        .filter((line) => literal.test(line) && !/^\s*(\/?\*|\/\/)/.test(line) && !isOfLibrary(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(wrong).toEqual([]);
});

test('no circle of imports inside any folder', () => {
  const folders = new Set([
    '',
    ...files.flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index + 1))),
  ]);
  expect([...folders].map((folder) => circleIn(folder, imports)).filter((circle) => circle !== null)).toEqual([]);
});

/** How many rooms stand above one another in a folder: the longest way of imports through its subfolders. */
function floorsOf(folder: string): number {
  const roomOf = (file: string) => file.slice(folder.length).split('/')[0]!;
  const inside = imports.filter(
    ({ from, to }) => from.startsWith(folder) && to.startsWith(folder) && roomOf(from) !== roomOf(to),
  );
  const heights = new Map<string, number>();
  const heightOf = (room: string): number => {
    const below = new Set(inside.filter(({ from }) => roomOf(from) === room).map(({ to }) => roomOf(to)));
    const height = heights.get(room) ?? 1 + Math.max(0, ...[...below].map(heightOf));
    heights.set(room, height);
    return height;
  };
  return Math.max(...inside.map(({ from }) => heightOf(roomOf(from))));
}

test('the rooms of the analysis stand on eight floors at most', () => {
  expect(floorsOf('analysis/')).toBeLessThanOrEqual(8);
});

test('a circle is found through a subfolder too', () => {
  const there = { from: 'a/table.ts', to: 'a/report/rows.ts' };
  const back = { from: 'a/report/html/page.ts', to: 'a/table.ts' };
  expect(circleIn('a/', [there])).toBeNull();
  expect(circleIn('a/', [there, back])).toEqual([written(there), written(back)]);
  expect(circleIn('a/report/', [there, back])).toBeNull();
});

/** Files that name figures by their nature; all others ask a figure what it is. */
const NAMING_FIGURES = [
  // The catalogues.
  'analysis/figures/',
  'analysis/scenarios/',
  // The format of a summary, and others' published figures.
  'results/formats/summary.ts',
  'results/published/',
  // Lists that are data themselves: a reader's questions, a calibration's values, a crowd's likeness, a card's costs, the tables of pages.
  'analysis/page/questions.ts',
  'harness/calibration/expectations.ts',
  'analysis/campaign/unit-costs.ts',
  'tools/bench/crowd-rounds.ts',
  'tools/docs/',
];
const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/.*|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const FIGURE_NAMES = new Set(FIGURES.flatMap(({ name }) => [name, name.split('.')[0]!] as string[]));

/** The strings of a file that are a figure's name, or the part of it before the point. */
function figuresNamedIn(file: string): string[] {
  const source = readFileSync(path.join(PROJECT_ROOT, file), 'utf8');
  const texts = [...source.matchAll(COMMENT_OR_STRING)].map(([, ...quoted]) => quoted.find((text) => text) ?? '');
  return texts.filter((text) => FIGURE_NAMES.has(text));
}

test('code asks a figure what it is, never for its name', () => {
  const asking = files.filter((file) => !NAMING_FIGURES.some((exempt) => file.startsWith(exempt)));
  const found = asking.flatMap((file) => figuresNamedIn(file).map((name) => `${file}: ${name}`));
  expect(found).toEqual([]);
  expect(figuresNamedIn('analysis/figures/typing-figures.ts')).toContain('throughputPercent');
});
