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
  const paths = await Array.fromAsync(glob(PLACES, { cwd: root }));
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
