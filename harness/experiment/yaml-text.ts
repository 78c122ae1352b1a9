/** The text of an experiment file, and what is wrong with it as YAML, in sentences of this project's. */
import { buffer } from 'node:stream/consumers';
import { type Document, isCollection, visit, type YAMLParseError } from 'yaml';
import { readBoundedFile } from '../../results/formats/bounded-file.ts';
import { UserError } from '../../results/user-error.ts';

/** Far more than any experiment takes. */
const MOST_BYTES = 100_000;
/** Stands for the standard input. */
export const STDIN = '-';

/**
 * @param path a file, not what may never end, such as a pipe; or `-`, the standard input
 * @throws Error whose message completes "cannot read …"
 */
export async function readText(path: string): Promise<string> {
  const bytes = path === STDIN ? await buffer(process.stdin) : await readBoundedFile(path, MOST_BYTES);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('its text is not UTF-8; save it as UTF-8');
  }
}

/** The first alias inside the value that it stands for: where it begins in the text. Aliases lead back, so no other circle is. */
export function findCircle(document: Document): number | null {
  let offset: number | null = null;
  visit(document, {
    Alias(_, alias, ancestors) {
      const isInside = ancestors.some((node) => isCollection(node) && node.anchor === alias.source);
      if (!isInside) return undefined;
      offset = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/** Aliases may unfold into more than memory holds, and brackets may be nested beyond any stack. */
export function inBounds<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const [said = ''] = (cause as Error).message.split('\n');
    const message = /alias count/.test(said) ? 'its aliases (*) unfold into too many values; write them out' : said;
    throw new UserError(`${path} cannot run: it cannot be read as YAML (${message})`, { cause });
  }
}

/** The parser's error in this project's words, with the way out; the parser may place it behind the last line. */
export function describeYamlError(
  { code, message, pos }: YAMLParseError,
  text: string,
): { offset: number; text: string } {
  const offset = Math.min(pos[0], Math.max(0, text.trimEnd().length - 1));
  const key = /^[^\s:]*/.exec(text.slice(offset))?.[0];
  switch (code) {
    case 'DUPLICATE_KEY':
      return { offset, text: `"${key}" stands twice; keep one, or join its values in a list: [a, b]` };
    case 'TAB_AS_INDENT':
      return { offset, text: 'a tab stands where YAML takes spaces alone; indent with two spaces' };
    case 'MULTIPLE_DOCS':
      return { offset, text: 'a second document begins here (---); a file holds one experiment' };
    default: {
      const [first = ''] = message.split('\n', 1);
      const open = /^Missing closing (["'])|\bend with a ([\]}])/.exec(first)?.slice(1).join('');
      if (open) return { offset, text: `a ${open} is missing; write it where the value ends` };
      const mark = /^Unexpected (,) in flow/.exec(first)?.[1];
      return { offset, text: mark ? `no value stands before this ${mark}; write one, or take the ${mark} out` : first };
    }
  }
}
