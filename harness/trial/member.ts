/** A process that the coordinator let in: what it may write, and what it said. */
import type { Channel } from '../../infra/channel/channel.ts';
import { Changes } from '../../infra/process/changes.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import type { Blamed, MessageOf, MessageToCoordinator, MessageToProcess } from './protocol.ts';

/** A process that is let in, as a trial's steps see it. */
export type Member = Pick<ConnectedMember, 'role' | 'user' | 'send' | 'expect' | 'hasSaid'>;
type Expected = 'ready' | 'marker-shown' | 'document-state' | 'played' | 'server-fault' | 'cpu-profile' | 'outcome';

/** The next message of this type of each of them. */
export function expectEach<T extends Expected>(
  members: readonly Member[],
  type: T,
  signal: AbortSignal,
): Promise<MessageOf<T>[]> {
  return Promise.all(members.map((member) => member.expect(type, signal)));
}

/** The lines that are of the trial as a whole. */
const COORDINATORS = new Set<RecordLine['type']>([
  'trial',
  'phase',
  'convergence',
  'replay',
  'asked-fault',
  'machine-speed',
  'surroundings',
]);

export interface MemberEvents {
  onRecords(member: Member, lines: RecordLine[]): void;
  /** A process says that it cannot go on. */
  onFailed(member: Member, message: string, by?: Blamed): void;
}

interface ConnectedMemberOptions {
  channel: Channel<MessageToCoordinator, MessageToProcess>;
  events: MemberEvents;
  /** Limit for all of its records together. */
  mostRecordBytes: number;
}

export class ConnectedMember {
  /** The user's number; null for the server. */
  readonly user: number | null;
  readonly #options: ConnectedMemberOptions;
  readonly #mailbox = new Mailbox<MessageOf<Expected>>();
  readonly #said = new Set<Expected>();
  #recordBytes = 0;
  #hasHandedIn = false;

  constructor(user: number | null, options: ConnectedMemberOptions) {
    this.user = user;
    this.#options = options;
  }

  get role(): 'user' | 'server' {
    return this.user === null ? 'server' : 'user';
  }

  send(message: Exclude<MessageToProcess, { type: 'time' }>): void {
    this.#options.channel.send(message);
  }

  /** The next message of this type, also one that came before. Rejects when the signal aborts. */
  expect<T extends Expected>(type: T, signal: AbortSignal): Promise<MessageOf<T>> {
    return this.#mailbox.expect(type, signal);
  }

  /** True once a message of this type has come. */
  hasSaid(type: Expected): boolean {
    return this.#said.has(type);
  }

  /** @throws Error that says why if it may not send this */
  take(message: Exclude<MessageToCoordinator, { type: 'hello' | 'time' }>, bytes: number): void {
    // That it is lost, it may tell at any time.
    if (this.#hasHandedIn && message.type !== 'failed') throw new Error('it had already handed in everything');
    if (message.type === 'outcome') this.#hasHandedIn = true;
    if (message.type === 'records') this.#takeRecords(message.lines, bytes);
    else if (message.type === 'failed') this.#options.events.onFailed(this, message.message, message.by);
    else {
      this.#said.add(message.type);
      this.#mailbox.deliver(message);
    }
  }

  #takeRecords(lines: RecordLine[], bytes: number): void {
    const foreign = lines.find((line) => !this.#isOwn(line));
    if (foreign !== undefined) throw new Error(`its record may hold no such "${foreign.type}" line`);
    this.#recordBytes += bytes;
    if (this.#recordBytes > this.#options.mostRecordBytes) throw new Error('its record is too large');
    this.#options.events.onRecords(this, lines);
  }

  /** A process writes of itself only: of the trial as a whole, the coordinator does. */
  #isOwn(line: RecordLine): boolean {
    if (COORDINATORS.has(line.type)) return false;
    return line.type !== 'process' || (line.role === this.role && (line.user ?? null) === this.user);
  }
}

/** Holds messages until they are asked for, by type, in order. */
export class Mailbox<Message extends { type: string }> {
  readonly #waiting: Message[] = [];
  readonly #delivered = new Changes();

  deliver(message: Message): void {
    this.#waiting.push(message);
    this.#delivered.happened();
  }

  /**
   * The next message of this type, also one that came before. Who asks first is answered first.
   *
   * @throws the signal's reason if it aborts before; a message that comes later is left to who asks next
   */
  async expect<T extends Message['type']>(type: T, signal: AbortSignal): Promise<Extract<Message, { type: T }>> {
    let taken: Message | undefined;
    await this.#delivered.until(() => {
      const index = this.#waiting.findIndex((message) => message.type === type);
      if (index >= 0) [taken] = this.#waiting.splice(index, 1);
      return taken !== undefined;
    }, signal);
    return taken as Extract<Message, { type: T }>;
  }
}
