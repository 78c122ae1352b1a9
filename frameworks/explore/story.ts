/** A world that failed, for people: its story in a few lines. */
import type { Passage } from '../../infra/virtual/network.ts';
import type { WorldLine } from './line.ts';
import type { Broken } from './play.ts';
import type { Note, Stage } from './stage.ts';
import { BROKER, readable, serverName, serverOf, serversOf, userName, type World, type WorldLink } from './world.ts';

const MOST_LINES = 30;
const MOST_CHARACTERS = 160;

export interface Told {
  /** The acts of all, and the text that each held at the end. */
  story: string[];
  diagram: Diagram;
}

/** All that a picture of a world's messages shows. */
export interface Diagram {
  /** Of users, then of servers and what is between them. */
  names: string[];
  notes: Note[];
  messages: { from: string; to: string; sentMs: number; arrivesMs: number; isLost: boolean }[];
}

export function tell(stage: Stage, broken: Broken | null): Told {
  const { passages, notes, users, world, servers } = stage;
  const count = Math.max(world.users.length, ...users.map(({ number }) => number + 1));
  const names = Array.from({ length: count }, (_, user) => userName(world, user));
  const serverNames = serversOf(world).map((_, index) => serverName(world, index));
  return {
    story: storyOf(stage, broken),
    diagram: {
      names: [...names, ...serverNames, ...(servers.haveBroker ? [BROKER] : [])],
      notes,
      messages: passages.map((passage) => ({
        ...endsOf(passage),
        sentMs: passage.sentMs,
        arrivesMs: passage.arrivesMs,
        // At the end some may still be on their way.
        isLost: !passage.hasArrived && passage.arrivesMs <= stage.clock.nowMs(),
      })),
    },
  };
}

export function endsOf({ line, direction }: Passage): { from: string; to: string } {
  const { near, far } = line as WorldLine;
  return direction === 'there' ? { from: near, to: far } : { from: far, to: near };
}

function storyOf({ world, notes, here }: Stage, broken: Broken | null): string[] {
  const { servers = [], store } = world;
  const lines = [
    ...world.users.map((_, number) => userLine(world, number)),
    ...servers.map((link, index) => `${serverName(world, index)} is ${distanceOf(link)} away from the others`),
    ...(store === undefined ? [] : [`documents are in a store, ${store.delayMs} ms away`]),
    ...notes.map(({ atMs, who, text }) => `${time(atMs)}  ${spoken(who)} ${text}`),
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

function spoken(name: string): string {
  return name === 'newcomer' || name === 'server' ? `the ${name}` : name;
}

function distanceOf({ delayMs, jitterMs }: WorldLink): string {
  return `${delayMs} ms${jitterMs > 0 ? ` ± ${jitterMs}` : ''}`;
}

function userLine(world: World, number: number): string {
  const user = world.users[number]!;
  const { receiveMs, sendMs } = user;
  const server = spoken(serverName(world, serverOf(world, number)));
  const sends = sendMs > 0 ? `, sends every ${sendMs} ms` : '';
  const takesIn = receiveMs > 0 ? `, takes in every ${receiveMs} ms` : '';
  return `${userName(world, number)} is ${distanceOf(user)} away from ${server}${sends}${takesIn}`;
}

export function time(ms: number): string {
  return `${ms.toFixed(1).padStart(9)} ms`;
}
