/**
 * The coordinator: serves the page, lets in the processes that know the trial's token, tells them the time, passes their
 * records on and keeps a channel to each. The steps of a trial are not its business; see trial.ts.
 */
import type { RequestListener } from 'node:http';
import sirv from 'sirv';
import { type Channel, LostConnection } from '../../infra/channel/channel.ts';
import { type ChannelListener, listenForChannels } from '../../infra/channel/listen-for-channels.ts';
import { createToken, redact } from '../../infra/channel/token.ts';
import { Changes } from '../../infra/process/changes.ts';
import { ConnectedMember, type Member, type MemberEvents } from './member.ts';
import { type MessageOf, type MessageToCoordinator, type MessageToProcess, messageToCoordinator } from './protocol.ts';

/** Limits for the messages of one process, which is cut off if it sends more. */
interface SizeLimits {
  messageBytes: number;
  /** All its records together. */
  recordBytes: number;
}
/** Larger than any saved state that was seen, and a hundred times what a user of the largest trial records. */
const SIZE_LIMITS: SizeLimits = { messageBytes: 64 * 2 ** 20, recordBytes: 256 * 2 ** 20 };

/** Where channels are opened, behind the token. */
const CONTROL_PATH = '/control';

interface CoordinatorEvents extends MemberEvents {
  /** @param reason the connection ended, or nothing was heard on it for too long */
  onDisconnected(member: Member, reason: Error): void;
}

interface CoordinatorOptions {
  users?: number;
  limits?: SizeLimits;
  /** Secrets beside the token that processes have, and nobody is to read; absent: none. */
  secrets?: readonly string[];
  events: CoordinatorEvents;
}

/**
 * @param options.host the interface to listen on; loopback unless the fleet is remote
 * @param options.port 0 or absent: any free one
 * @param options.users how many there are to be; absent: any number
 * @param options.pageFolder the built page; null: no user opens one
 * @throws the system's error if it cannot listen there
 */
export async function startCoordinator(
  options: CoordinatorOptions & { host: string; port?: number; pageFolder: string | null },
): Promise<Coordinator> {
  const coordinator = new Coordinator(options);
  await coordinator.listen(options);
  return coordinator;
}

export class Coordinator {
  /** The secret of the trial, which every process and page must know to connect. */
  readonly token = createToken();
  readonly #secrets: readonly string[];
  readonly #mostUsers: number;
  readonly #limits: SizeLimits;
  readonly #events: CoordinatorEvents;
  readonly #users = new Map<number, Member>();
  readonly #arrivals = new Changes();
  #server: Member | null = null;
  #listener: ChannelListener | null = null;
  #isClosing = false;

  constructor({ users = Number.POSITIVE_INFINITY, limits = SIZE_LIMITS, secrets = [], events }: CoordinatorOptions) {
    this.#secrets = secrets;
    this.#mostUsers = users;
    this.#limits = limits;
    this.#events = events;
  }

  async listen({ host, port, pageFolder }: { host: string; port?: number; pageFolder: string | null }): Promise<void> {
    this.#listener = await listenForChannels<MessageToCoordinator, MessageToProcess>({
      host,
      port,
      token: this.token,
      secrets: this.#secrets,
      path: CONTROL_PATH,
      schema: messageToCoordinator,
      maxMessageBytes: this.#limits.messageBytes,
      pages: servePages(pageFolder),
      onChannel: (channel) => this.#admit(channel),
    });
  }

  /** The text without the trial's secrets. */
  redact(text: string): string {
    return redact(text, this.token, ...this.#secrets);
  }

  /** Where processes connect to; it holds the token. */
  controlUrl(host: string): string {
    return `ws://${host}:${this.#listener!.port}/${this.token}${CONTROL_PATH}`;
  }

  pageUrl(host: string): string {
    return `http://${host}:${this.#listener!.port}/${this.token}/`;
  }

  get server(): Member | null {
    return this.#server;
  }

  /** Connected users, by number. */
  get users(): readonly Member[] {
    return [...this.#users.values()].sort((a, b) => a.user! - b.user!);
  }

  /** Resolves once so many users (and, if asked, the server) have come; rejects when the signal aborts. */
  untilConnected(wanted: { users: number; server: boolean }, signal: AbortSignal): Promise<void> {
    const haveCome = () => this.#users.size >= wanted.users && (!wanted.server || this.#server !== null);
    return this.#arrivals.until(haveCome, signal);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#listener?.close();
  }

  #admit(channel: Channel<MessageToCoordinator, MessageToProcess>): void {
    let member: ConnectedMember | null = null;
    channel.receive({
      onMessage: (message, { atMs, bytes }) => {
        if (message.type === 'time') {
          channel.send({ type: 'time', sentMs: message.sentMs, coordinatorMs: atMs });
        } else if (message.type === 'hello') {
          if (member !== null || !this.#isExpected(message)) throw new Error('nobody more is expected');
          const { recordBytes: mostRecordBytes } = this.#limits;
          member = new ConnectedMember(message.user, { channel, events: this.#events, mostRecordBytes });
          this.#join(member);
        } else {
          if (member === null) throw new Error('it must say hello first');
          member.take(message, bytes);
        }
      },
    });
    channel.ended.addEventListener('abort', () => {
      if (member !== null && !this.#isClosing) this.#part(member, channel.ended.reason);
    });
  }

  /** False if the newcomer's place is taken, or if there is none. */
  #isExpected({ user }: MessageOf<'hello'>): boolean {
    if (user === null) return this.#server === null;
    return user < this.#mostUsers && !this.#users.has(user);
  }

  #join(member: Member): void {
    if (member.user === null) this.#server = member;
    else this.#users.set(member.user, member);
    this.#arrivals.happened();
  }

  #part(member: Member, reason: Error): void {
    if (!(reason instanceof LostConnection)) this.#events.onFailed(member, `it was cut off: ${reason.message}`);
    this.#events.onDisconnected(member, reason);
  }
}

function servePages(folder: string | null): RequestListener {
  const serve: ReturnType<typeof sirv> =
    folder === null ? (_request, _response, next) => next?.() : sirv(folder, { etag: true });
  return (request, response) => {
    // Isolation gives the page its clock with a resolution of 5 µs instead of 100 µs.
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    serve(request, response, () => {
      response.writeHead(404).end('no such page');
    });
  };
}
