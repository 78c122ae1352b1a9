/** One process of the trial, as the coordinator knows it: what it may send, and what it has. */
import type { Channel } from '../../infra/channel/channel.ts';
import { Changes } from '../../infra/process/changes.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import type { MessageOf, MessageToCoordinator, MessageToProcess } from './protocol.ts';

export interface Member {
  role: 'user' | 'server';
  /** The user's number; null for the server. */
  user: number | null;
  send(message: Exclude<MessageToProcess, { type: 'time' }>): void;
  /** The next message of this type, also one that came before. Rejects when the signal aborts. */
  expect<T extends Expected>(type: T, signal: AbortSignal): Promise<MessageOf<T>>;
}
type Expected = 'ready' | 'marker-shown' | 'document-state' | 'played' | 'restarted' | 'cpu-profile' | 'outcome';

/** The lines that are of the trial as a whole. */
const COORDINATORS = new Set<RecordLine['type']>(['trial', 'phase', 'convergence', 'replay', 'asked-fault']);

export interface MemberEvents {
  onRecords(member: Member, lines: RecordLine[]): void;
  /** A process says that it cannot go on. */
  onFailed(member: Member, message: string, by?: 'framework'): void;
}

interface ConnectedMemberOptions {
  channel: Channel<MessageToCoordinator, MessageToProcess>;
  events: MemberEvents;
  /** Limit for all of its records together. */
  mostRecordBytes: number;
}

export class ConnectedMember implements Member {
  readonly role: Member['role'];
  readonly user: number | null;
  readonly #options: ConnectedMemberOptions;
  readonly #mailbox = new Mailbox<MessageOf<Expected>>();
  #recordBytes = 0;
  #hasHandedIn = false;

  constructor({ role, user }: Pick<Member, 'role' | 'user'>, options: ConnectedMemberOptions) {
    this.role = role;
    this.user = user;
    this.#options = options;
  }

  send(message: Exclude<MessageToProcess, { type: 'time' }>): void {
    this.#options.channel.send(message);
  }

  expect<T extends Expected>(type: T, signal: AbortSignal): Promise<MessageOf<T>> {
    return this.#mailbox.expect(type, signal);
  }

  /** @throws Error that says why if it may not send this */
  take(message: Exclude<MessageToCoordinator, { type: 'hello' | 'time' }>, bytes: number): void {
    if (this.#hasHandedIn) throw new Error('it had already handed in everything');
    if (message.type === 'outcome') this.#hasHandedIn = true;
    if (message.type === 'records') this.#takeRecords(message.lines, bytes);
    else if (message.type === 'failed') this.#options.events.onFailed(this, message.message, message.by);
    else this.#mailbox.deliver(message);
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
