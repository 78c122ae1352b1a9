/** Saved states: loaded again by the version that saved them; and saved by an older version, loaded by this one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, judge, type Outcome } from './outcome.ts';

/** How a library does it. */
export interface SavingLibrary<Document> {
  create(text: string): Document | Promise<Document>;
  insert(document: Document, position: number, text: string): Document | Promise<Document>;
  text(document: Document): string;
  save(document: Document): Uint8Array | Promise<Uint8Array>;
  load(saved: Uint8Array): Document | Promise<Document>;
}

/** A state that an older version saved: of `saved-by-older.json`, made by the script beside that. */
interface Older {
  /** Such as `yjs@13.0.0`. */
  package: string;
  /** The text in it. */
  text: string;
  base64: string;
}

export async function staysReadable<Document>(library: SavingLibrary<Document>, name: string): Promise<Outcome> {
  const isEditable = async (saved: Uint8Array, text: string) => {
    const loaded = await library.load(saved);
    if (library.text(loaded) !== text) return false;
    return library.text(await library.insert(loaded, 0, 'on ')) === `on ${text}`;
  };
  const created = await library.insert(await library.create('saved text'), 0, 'a ');
  const checks: Check[] = [
    {
      holds: await isEditable(await library.save(created), 'a saved text'),
      otherwise: 'what it saved it does not load again',
      isEssential: true,
    },
  ];
  const older = readOlder(name);
  const reads = await attempt(() => isEditable(new Uint8Array(Buffer.from(older.base64, 'base64')), older.text));
  checks.push({
    holds: reads === '',
    otherwise: `what ${older.package} saved is not read${reads === WRONG ? '' : ` ("${reads}")`}`,
  });
  return judge(checks);
}

const WRONG = 'wrong';

/** Empty if it is true; else what was thrown, or that it is not true. */
async function attempt(look: () => Promise<boolean>): Promise<string> {
  try {
    return (await look()) ? '' : WRONG;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function readOlder(name: string): Older {
  const file = join(import.meta.dirname, 'saved-by-older.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Older>)[name]!;
}
