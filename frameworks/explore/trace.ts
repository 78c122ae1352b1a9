/** Each message of a world, as a line: decoded, if the library has a decoder. */
import type { FrameworkClient } from '../../editors/base/framework.ts';
import type { Passage } from '../../infra/virtual/network.ts';
import { messageOf } from '../../results/user-error.ts';
import { endsOf, time } from './story.ts';
import { BROKER, readable } from './world.ts';

type Decode = FrameworkClient['decode'];

const MOST_CHARACTERS = { text: 160, decoded: 320 };
const SHOWN_BYTES = 24;
const PRINTABLE = /[\x20-\x7e]{4,}/g;
/** In the line of a message between client and server that the decoder does not take. */
export const NOT_DECODED = 'not decoded';

/** @param endMs when the world ended, in its time */
export async function traceLine(passage: Passage, endMs: number, decode: Decode): Promise<string> {
  const { content, sentMs, arrivesMs, hasArrived } = passage;
  const { from, to } = endsOf(passage);
  const without = arrivesMs <= endMs ? '     lost    ' : '  on its way ';
  const fate = hasArrived ? time(arrivesMs) : without;
  const isOfLibrary = from !== BROKER && to !== BROKER;
  const text = await contentText(content, isOfLibrary ? decode : undefined);
  return `${time(sentMs)} → ${fate}  ${`${from} → ${to}`.padEnd(18)}  ${text}`;
}

/** Text as it is; of bytes what they mean, or the first, and the words among them. */
async function contentText(content: Passage['content'], decode: Decode): Promise<string> {
  if (typeof content === 'string') return readable(content).slice(0, MOST_CHARACTERS.text);
  const bytes = Buffer.from(content as Uint8Array);
  const size = `${bytes.length} bytes`;
  let problem = '';
  try {
    const decoded = await decode?.(bytes);
    if (decoded !== undefined) {
      const text = typeof decoded === 'string' ? decoded : JSON.stringify(decoded, plain);
      return `${size} ${readable(text)}`.slice(0, MOST_CHARACTERS.decoded);
    }
  } catch (error) {
    problem = `(${NOT_DECODED}: ${messageOf(error)}) `;
  }
  const words = bytes.toString('latin1').match(PRINTABLE) ?? [];
  const first = `${bytes.subarray(0, SHOWN_BYTES).toString('hex')}${bytes.length > SHOWN_BYTES ? '…' : ''}`;
  return `${size} ${problem}${first} ${words.join(' ')}`.slice(0, MOST_CHARACTERS.text);
}

/** Of the part itself: a Buffer would have made an array of all its bytes by then. */
function plain(this: Record<string, unknown>, key: string): unknown {
  const part = this[key];
  if (part instanceof Map) return Object.fromEntries(part);
  if (part instanceof Uint8Array) return `${part.length} bytes`;
  return typeof part === 'bigint' ? String(part) : part;
}
