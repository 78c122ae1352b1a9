/** The processes of a trial: launched on its fleet, and connected to its coordinator. With one that is lost, the trial is. */
import type { Fleet } from '../../infra/fleet.ts';
import { inUrl } from '../../infra/network/line-target.ts';
import { replacedPackages } from '../../infra/process/packages.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { SERVER_READ_ONLY, SERVER_REFUSED, sayRefusal } from '../attached/refusals.ts';
import { Coordinator } from './coordinator.ts';
import type { Member } from './member.ts';
import { type Blamed, CONTROL_URL_VARIABLE, FOREIGN_VARIABLE } from './protocol.ts';
import { type ServersWanted, toProcess } from './servers-wanted.ts';
import { TrialFailure } from './steps.ts';
import type { DocumentSource } from './trial-options.ts';
import { isReplica, type TrialUser, type UserProcess } from './trial-users.ts';

/**
 * Wait for the end of a process after its connection was lost. Longer for a server, since its end decides whether the failure
 * is the framework's.
 */
const LAST_WORDS_MS = { user: 300, server: 3000 };
/** The code of a failure of what stands behind the servers, which is not the framework's. */
const STORE_LOST = 'store-lost';
/** In codes: the harness's process that only looks at somebody else's server. */
const OBSERVER = 'observer';

interface TrialProcessesOptions {
  planned: Pick<PlannedTrial, 'framework' | 'mode'>;
  users: readonly TrialUser[];
  fleet: Fleet;
  source: DocumentSource;
  onRecords(member: Member, lines: RecordLine[]): void;
  /** The first that is lost; `lost` aborts right after. */
  onLost(member: Member, message: string): void;
}

export class TrialProcesses {
  readonly #options: TrialProcessesOptions;
  readonly #coordinator: Coordinator;
  readonly #lost = new AbortController();
  #isStopping = false;
  #serverHost = '';

  constructor(options: TrialProcessesOptions) {
    this.#options = options;
    this.#coordinator = new Coordinator({
      users: options.users.length,
      secrets: options.source.secrets,
      events: {
        onRecords: options.onRecords,
        onFailed: (member, message, by) => this.#lose(member, message, by),
        // Where its process has ended, the fleet is about to say how, which tells more.
        onDisconnected: (member, { message }) =>
          setTimeout(
            () => this.#lose(member, `cut off from the coordinator: ${message}`, 'connection'),
            LAST_WORDS_MS[member.role],
          ),
      },
    });
  }

  /** Aborts with the `TrialFailure` if a process is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Where users' pages are. */
  get pageUrl(): string {
    return this.#coordinator.pageUrl(this.#options.fleet.network.coordinator.reachedAt);
  }

  /** Connected users, by number. */
  get users(): readonly Member[] {
    return this.#coordinator.users;
  }

  userOf({ user }: Member): TrialUser {
    return this.#options.users[user!]!;
  }

  /** Users who hold a document. */
  get replicas(): readonly Member[] {
    return this.users.filter((member) => isReplica(this.userOf(member)));
  }

  get played(): readonly Member[] {
    return this.users.filter((member) => !isReplica(this.userOf(member)));
  }

  /** Null if none has connected. */
  get server(): Member | null {
    return this.#coordinator.server;
  }

  /** The server, if one has connected, and all users. */
  get all(): readonly Member[] {
    const { server, users } = this.#coordinator;
    return [...(server === null ? [] : [server]), ...users];
  }

  /** @throws the system's error if the fleet's port is taken */
  async listen(pageFolder: string | null): Promise<void> {
    const { listensOn, port } = this.#options.fleet.network.coordinator;
    await this.#coordinator.listen({ host: listensOn, port, pageFolder });
  }

  /** Of the trial, as they are wanted; or what looks at somebody else's. */
  async launchServer(wanted: ServersWanted): Promise<void> {
    const { fleet, source } = this.#options;
    const { listensOn, port } = fleet.network.server;
    const args =
      source.observed === undefined
        ? ['--address', listensOn, '--port', String(port)]
        : ['--observed', JSON.stringify(source.observed)];
    const environment = toProcess(wanted);
    this.#serverHost = (await this.#launch('server', args, { environment })) ?? '';
  }

  async launchUsers({ name, mode, arguments: args, users }: UserProcess): Promise<void> {
    const { foreign } = this.#options.source;
    const environment = foreign && { [FOREIGN_VARIABLE]: JSON.stringify(foreign) };
    await this.#launch(name, args, { mode, users, environment, role: 'users' });
  }

  /** Runs a process that needs no coordinator, to its end. @throws TrialFailure if it ends badly */
  async run(name: string, entry: string, args: string[]): Promise<void> {
    const job = { name, entry, arguments: args, environment: {} };
    const { failed } = await this.#options.fleet.launch(job);
    const failure = await failed;
    if (failure !== null) throw new TrialFailure(`${name}-${failure.of}`, failure.text);
  }

  /** Resolves once the servers that were launched are ready; with their addresses, which hold the token. */
  async addressesOfServers(signal: AbortSignal): Promise<string[]> {
    await this.#coordinator.untilConnected({ users: 0, server: true }, signal);
    const { ports = [] } = await this.#coordinator.server!.expect('ready', signal);
    return ports.map((port) => `ws://${inUrl(this.#serverHost)}:${port}/${this.#coordinator.token}`);
  }

  async untilAllConnected(signal: AbortSignal): Promise<void> {
    await this.#coordinator.untilConnected({ users: this.#options.users.length, server: false }, signal);
  }

  /** That users never get ready says nothing of the framework where somebody else's server does so to all of them. */
  async unlessForeign(ready: Promise<unknown>, kind: 'not let in' | 'read-only', seen: string): Promise<void> {
    await ready.catch((error: unknown) => {
      const isThere = this.#options.source.foreign !== undefined && error instanceof TrialFailure;
      if (!isThere || error.code !== 'never-ready' || !isDoneToAll(kind, this.users)) throw error;
      const code = kind === 'read-only' ? SERVER_READ_ONLY : SERVER_REFUSED;
      throw new TrialFailure(code, sayRefusal({ kind, seen: `${seen}: ${error.message}` }));
    });
  }

  /** Sends everyone a goodbye and resolves when all is gone, whatever goes wrong on the way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const member of this.all) member.send({ type: 'goodbye' });
    await this.#options.fleet.stop().finally(() => this.#coordinator.close());
  }

  /** @param hosted `mode`: of the users there, the cell's by default; `users`: for messages; `environment`: beside the control address */
  async #launch(
    name: string,
    args: string[],
    hosted: { mode?: string; users?: string; environment?: Record<string, string>; role?: string } = {},
  ) {
    const { planned, fleet } = this.#options;
    const { mode = planned.mode, users } = hosted;
    const controlUrl = this.#coordinator.controlUrl(fleet.network.coordinator.reachedAt);
    const { address, failed } = await fleet.launch({
      name,
      role: hosted.role,
      entry: `harness/${name}/main.ts`,
      arguments: ['--framework', planned.framework, '--mode', mode, ...args],
      environment: { [CONTROL_URL_VARIABLE]: controlUrl, ...hosted.environment },
    });
    failed.then((failure) => {
      if (failure === null || this.#isStopping) return;
      const { text, of } = failure;
      const whole = users === undefined ? text : `${text}; lost: ${users}`;
      // A lost machine or connection of a server is no failure of its framework, see FRAMEWORK_FAILURES.
      const part = name === 'server' && this.#options.source.observed !== undefined ? OBSERVER : name;
      this.#lost.abort(new TrialFailure(`${part}-${of}`, this.#coordinator.redact(whole)));
    });
    return address;
  }

  #lose(member: Member, message: string, by?: Blamed | 'connection'): void {
    if (this.#isStopping || this.lost.aborted) return;
    const isObserver = member.user === null && this.#options.source.observed !== undefined;
    const server = isObserver
      ? 'the process that looks at the server'
      : `the server of ${this.#options.planned.framework}`;
    const who = member.user === null ? server : `user ${member.user}`;
    const replaced = replacedPackages(message);
    const why = replaced ?? message;
    this.#options.onLost(member, why);
    const code = isObserver ? `${OBSERVER}-lost` : codeOfLoss(member, { replaced: replaced !== null, by });
    this.#lost.abort(new TrialFailure(code, `${who} is lost: ${why}`));
  }
}

/**
 * True if a server lets nobody in but at most user 0, who comes alone, or shows the marker to nobody but user 0, its author. Users who
 * are late among others may be so by their machine.
 */
export function isDoneToAll(
  kind: 'not let in' | 'read-only',
  users: readonly Pick<Member, 'user' | 'hasSaid'>[],
): boolean {
  if (kind === 'not let in') return !users.some((member) => member.user !== 0 && member.hasSaid('ready'));
  const reached = users.filter((member) => member.hasSaid('marker-shown'));
  return reached.length === 1 && reached[0]!.user === 0;
}

/** A server is nobody's but the framework's, unless it is somebody else's, or what it runs on, or its store, was taken from it. */
function codeOfLoss(
  { role }: Pick<Member, 'role'>,
  { replaced, by }: { replaced: boolean; by?: Blamed | 'connection' },
): string {
  if (replaced) return `${role}-machine`;
  // The process beside a server is the harness's. One that ended would have been told of by its fleet.
  if (by === 'connection' && role === 'server') return 'server-cut-off';
  if (by === 'foreign') return SERVER_REFUSED;
  if (by === 'read-only') return SERVER_READ_ONLY;
  if (by === 'store') return STORE_LOST;
  return by === 'framework' && role === 'user' ? 'client-lost' : `${role}-lost`;
}
