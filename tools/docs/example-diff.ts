/** The finished example of `docs/your-library.md`: what its author changed in the scaffold's document. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesOutside } from '../../frameworks/scaffold/template.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';

const EXAMPLE = 'frameworks/scaffold/example/document.ts';
const KIT = '../../../editors/base/kit.ts';
const COMMENT = /^\s*(?:\/\/|\/\*\*|\*)/;

/** As `diff` writes it, without comments. */
export async function exampleDiff(): Promise<string> {
  const files = await filesOutside({ kind: 'relayed', name: 'mine', colour: { light: '#000', dark: '#fff' } });
  const scaffold = files.find(({ path }) => path === 'document.ts')!.text;
  const example = await readFile(join(PROJECT_ROOT, EXAMPLE), 'utf8');
  const lines = diffOf(codeOf(scaffold), codeOf(example.replace(KIT, 'scriptorium/client')));
  return ['```diff', ...lines, '```'].join('\n');
}

function codeOf(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  return lines.filter((line, index) => !COMMENT.test(line) && !(line === '' && (lines[index - 1] ?? '') === ''));
}

/** By the longest common subsequence of lines. */
function diffOf(old: readonly string[], fresh: readonly string[]): string[] {
  const lengths = old.map(() => fresh.map(() => 0));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i]![j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && old[i] === fresh[j]) {
      lines.push(` ${old[i]}`.trimEnd());
      [i, j] = [i + 1, j + 1];
    } else if (i < old.length && (j === fresh.length || at(i + 1, j) >= at(i, j + 1))) lines.push(`-${old[i++]}`);
    else lines.push(`+${fresh[j++]}`);
  }
  return lines;
}
