/** A world that failed, for people: its story in a few lines, and all its messages on demand. */
import type { Passage } from '../../infra/virtual/network.ts';
import type { Broken } from './play.ts';
import type { Note, Stage } from './stage.ts';
import { readable, type World } from './world.ts';

const MOST_LINES = 30;
const MOST_CHARACTERS = 160;

export interface Told {
  /** The acts of all, and the text that each held at the end. */
  story: string[];
  /** A line for each message. */
  trace: string[];
  diagram: Diagram;
}

/** All that a picture of a world's messages shows. */
export interface Diagram {
  /** Of users by their numbers; the server stands after them. */
  names: string[];
  notes: Note[];
  messages: { user: number; direction: Passage['direction']; sentMs: number; arrivesMs: number; isLost: boolean }[];
}

export function tell(stage: Stage, broken: Broken | null): Told {
  const { passages, notes, users, world } = stage;
  const numberOf = new Map(users.map(({ line, number }) => [line as Passage['line'], number]));
  const hasNewcomer = users.some(({ number }) => number === world.users.length);
  const names = [...world.users.map((_, number) => nameOf(number)), ...(hasNewcomer ? ['newcomer'] : [])];
  return {
    story: storyOf(stage, broken),
    trace: passages.map((passage) => traceLine(passage, names[numberOf.get(passage.line)!]!)),
    diagram: {
      names,
      notes,
      messages: passages.map(({ line, direction, sentMs, arrivesMs, hasArrived }) => ({
        ...{ user: numberOf.get(line)!, direction, sentMs, arrivesMs },
        isLost: !hasArrived,
      })),
    },
  };
}

function nameOf(number: number): string {
  return String.fromCharCode(97 + number);
}

function storyOf({ world, notes, here }: Stage, broken: Broken | null): string[] {
  const lines = [
    ...world.users.map((_, number) => userLine(world, number)),
    ...notes.map(
      ({ atMs, user, text }) => `${time(atMs)}  ${user === null ? 'the server' : nameIn(world, user)} ${text}`,
    ),
  ];
  const held = here.map((user) => `at the end ${user.name} holds "${readable(user.text())}"`);
  const end = [...held, broken === null ? 'all invariants hold' : `${broken.invariant}: ${broken.text}`];
  const room = MOST_LINES - end.length;
  const shown =
    lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${lines.length - room + 1} lines more`];
  return [...shown, ...end].map((line) =>
    line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line,
  );
}

function nameIn({ users }: World, number: number): string {
  return number === users.length ? 'the newcomer' : nameOf(number);
}

function userLine({ users }: World, number: number): string {
  const { delayMs, jitterMs, receiveMs, sendMs } = users[number]!;
  const batching = [
    ...(sendMs > 0 ? [`sends every ${sendMs} ms`] : []),
    ...(receiveMs > 0 ? [`takes in every ${receiveMs} ms`] : []),
  ];
  return [
    `${nameOf(number)} is ${delayMs} ms${jitterMs > 0 ? ` ± ${jitterMs}` : ''} away from the server`,
    ...batching,
  ].join(', ');
}

function time(ms: number): string {
  return `${ms.toFixed(1).padStart(9)} ms`;
}

const SHOWN_BYTES = 24;
const PRINTABLE = /[\x20-\x7e]{4,}/g;

function traceLine({ direction, content, sentMs, arrivesMs, hasArrived }: Passage, name: string): string {
  const way = direction === 'there' ? `${name} → server` : `server → ${name}`;
  const fate = hasArrived ? time(arrivesMs) : '     lost    ';
  return `${time(sentMs)} → ${fate}  ${way.padEnd(18)}  ${contentText(content)}`;
}

/** Text as it is; of bytes the first, and the words among them. */
function contentText(content: Passage['content']): string {
  if (typeof content === 'string') return readable(content).slice(0, MOST_CHARACTERS);
  const bytes = Buffer.from(content as Uint8Array);
  const words = bytes.toString('latin1').match(PRINTABLE) ?? [];
  const hex = bytes.subarray(0, SHOWN_BYTES).toString('hex');
  return `${bytes.length} bytes ${hex}${bytes.length > SHOWN_BYTES ? '…' : ''} ${words.join(' ')}`.slice(
    0,
    MOST_CHARACTERS,
  );
}
