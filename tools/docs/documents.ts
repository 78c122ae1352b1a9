/** The project's documents: their list, and their Markdown as far as the checks and the generator read it. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../infra/project.ts';

export interface Document {
  /** Relative to the project's folder, with forward slashes. */
  path: string;
  text: string;
}

const PLACES = ['*.md', 'docs/**/*.md', '.github/**/*.md', '{editors,infra,servers,traces}/**/*.md'];

/** Every Markdown file of the project, in the order of their paths. */
export async function readDocuments(root: string = PROJECT_ROOT): Promise<Document[]> {
  const paths: string[] = [];
  for await (const path of glob(PLACES, { cwd: root })) paths.push(path.replaceAll('\\', '/'));
  return Promise.all(paths.sort().map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })));
}

/** Without fenced code blocks, in which nothing is a link, a heading or a path. */
export function withoutCodeBlocks(markdown: string): string {
  return markdown.replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');
}

/** The targets of all links and pictures, as written. */
export function linksOf(markdown: string): string[] {
  const prose = withoutCodeBlocks(markdown).replaceAll(/`[^`\n]*`/g, '``');
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map((match) => match[1]!);
}

/** The anchors of all headings, as GitHub makes them. */
export function anchorsOf(markdown: string): Set<string> {
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
export function sourcePathsOf(markdown: string): string[] {
  const codes = [...withoutCodeBlocks(markdown).matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
  const rooms =
    /^(traces|editors|infra|servers|frameworks|analysis|harness|documents|capabilities|cli|tools|tests|docs|results\/(formats|published|run-folder))\/[\w./-]*$/;
  return codes.filter((code) => rooms.test(code) && (code.endsWith('/') || /\.\w+$/.test(code)));
}
