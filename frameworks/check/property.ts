/** What a property of the conformance suite is, and what all are written with. */
import type { Client } from './client.ts';
import { type ConformanceSession, Violation } from './session.ts';

export interface Property {
  /** As on the command line, in the table, and in a framework's known issues. */
  id: string;
  title: string;
  /** Whether its clients see one another's cursors; they then have a session of their own. */
  needsPresence?: boolean;
  run(session: ConformanceSession): Promise<void>;
}

/** The first two of a session. */
export function users({ clients }: ConformanceSession) {
  return clients as readonly [Client, Client];
}

export function expectHolds(text: string, part: string): void {
  if (!text.includes(part)) throw new Violation(`the document has no ${JSON.stringify(part)}: ${JSON.stringify(text)}`);
}

export function expectEqual(seen: unknown, wanted: unknown, what: string): void {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (one !== other) throw new Violation(`${what}: ${one} instead of ${other}`);
}
