/** The commands that README and docs show, as somebody on a fresh machine types them. */
import { EXAMPLES } from '../../cli/examples.ts';
import { readDocuments } from './documents.ts';

/** Commands that open a Chrome, and those that open none, but for images of charts by `report`. */
const WITH_CHROME = [
  ...['demo', 'quick', 'attach', 'run', 'ci', 'max', 'campaign', 'check', 'calibrate', 'test'],
  // To fetch one ahead.
  'install',
];
const WITHOUT = [
  ...['plan', 'compare', 'sql', 'site', 'submit', 'list', 'new-framework', 'explore', 'traces', 'crowd', 'capacity'],
  ...['doctor', 'completions', 'fargate', 'hello', 'workers', 'help', 'report'],
];
/** Of a new command these lists and the launcher must know. */
export const NEEDS_CHROME: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...WITH_CHROME.map((name) => [name, true] as const),
  ...WITHOUT.map((name) => [name, false] as const),
]);

const WORD = /\s*("[^"]*"|'[^']*'|[^\s"']+)/y;
const ENDS = /^(#|\||&&?|;|>|2>|2>&1|<)/;

/** The words of a command in the shell, without quotes, up to a comment or to what is no longer the command. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  WORD.lastIndex = 0;
  for (let found = WORD.exec(line); found !== null && !ENDS.test(found[1]!); found = WORD.exec(line)) {
    words.push(found[1]!.replaceAll(/^["']|["']$/g, ''));
  }
  return words;
}

export interface DocumentedCommand {
  where: string;
  words: string[];
  /** Those in a block are whole; those within a sentence may only name a command. */
  isWhole: boolean;
}

export async function documentedCommands(): Promise<DocumentedCommand[]> {
  const pages = (await readDocuments()).filter(({ path }) => path === 'README.md' || path.startsWith('docs/'));
  const shown = pages.flatMap(({ path, text }) => {
    const joined = text.replaceAll(/\\\n\s*/g, ' ');
    const blocks = [...joined.matchAll(/^```[^\n]*\n(.*?)^```/gms)].flatMap(([, block]) => [
      ...block!.matchAll(/\.\/scriptorium (.*)/g),
    ]);
    const sentences = [...joined.replaceAll(/^```.*?^```/gms, '').matchAll(/`\.\/scriptorium ([^`]+)`/g)];
    const of = (isWhole: boolean) => (match: RegExpMatchArray) => ({ where: path, line: match[1]!, isWhole });
    return [...blocks.map(of(true)), ...sentences.map(of(false))];
  });
  const examples = Object.values(EXAMPLES)
    .flat()
    .map((line) => ({ where: 'cli/examples.ts', line, isWhole: true }));
  return [...shown, ...examples]
    .filter(({ line }) => !/\[options\]|^-|<shell>/.test(line))
    .map(({ line, ...rest }) => ({ ...rest, words: wordsOf(line) }));
}

/** True if the command opens a Chrome, as it stands here and not by the launcher's rule. */
export function opensChrome([name = '', ...rest]: readonly string[]): boolean {
  const draws = name === 'report' && rest.some((word) => word === '--png' || word === '--pdf');
  const measuresNothing = rest.some((word) => ['--plan', '--report', '--capabilities'].includes(word));
  const fleet = rest[rest.indexOf('--on') + 1];
  const isElsewhere = rest.includes('--on') && fleet !== 'local';
  return draws || ((NEEDS_CHROME[name] ?? false) && !measuresNothing && !isElsewhere);
}
