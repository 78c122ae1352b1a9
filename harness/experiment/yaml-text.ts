/** The text of an experiment file, and what is wrong with it as YAML, in sentences of this project's. */
import { type Document, isCollection, isNode, isScalar, visit, type YAMLError } from 'yaml';
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
  const bytes = path === STDIN ? await readBounded(process.stdin) : await readBoundedFile(path, MOST_BYTES);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('its text is not UTF-8; save it as UTF-8');
  }
}

/** A pipe may never end. */
async function readBounded(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Names of properties that are lists or blocks, and merges, which this version of YAML takes for a name. */
export function findOddNames(document: Document): { offset: number; text: string }[] {
  const found: { offset: number; text: string }[] = [];
  visit(document, {
    Pair(_, { key }) {
      const offset = (isNode(key) && key.range?.[0]) || 0;
      if (isCollection(key)) found.push({ offset, text: 'a list or a block stands here as a name; write one word' });
      const isMerge = isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
      if (isMerge && document.directives?.yaml.version !== '1.1')
        found.push({ offset, text: 'YAML 1.2 has no merges (<<); write the properties out' });
    },
  });
  return found;
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
export function describeYamlError({ code, message, pos }: YAMLError, text: string): { offset: number; text: string } {
  const offset = Math.min(pos[0], Math.max(0, text.trimEnd().length - 1));
  const key = /^[^\s:]*/.exec(text.slice(offset))?.[0];
  switch (code) {
    case 'DUPLICATE_KEY':
      return { offset, text: `"${key}" stands twice; keep one, or join its values in a list: [a, b]` };
    case 'TAB_AS_INDENT':
      return { offset, text: 'a tab stands where YAML takes spaces alone; indent with two spaces' };
    case 'MULTIPLE_DOCS':
      return { offset, text: 'a second document begins here (---); a file holds one experiment' };
    case 'BAD_DIRECTIVE':
      return { offset, text: `${message}; take that line out` };
    case 'TAG_RESOLVE_FAILED':
      return { offset, text: 'a tag (!) stands here that is not known; leave it out' };
    default: {
      const [first = ''] = message.split('\n', 1);
      const open = /^Missing closing (["'])|\bend with a ([\]}])/.exec(first)?.slice(1).join('');
      if (open) return { offset, text: `a ${open} is missing; write it where the value ends` };
      const mark = /^Unexpected (,) in flow/.exec(first)?.[1];
      return { offset, text: mark ? `no value stands before this ${mark}; write one, or take the ${mark} out` : first };
    }
  }
}
