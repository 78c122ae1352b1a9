/** The processes of a trial: launched on its fleet, and connected to its coordinator. With one that is lost, the trial is. */
import { redact } from '../../infra/channel/token.ts';
import type { Fleet } from '../../infra/fleet.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { CONTROL_URL_VARIABLE } from './control-url.ts';
import { Coordinator, type Member } from './coordinator.ts';
import type { TrialCrowd, UserProcess } from './user-processes.ts';
import { TrialFailure } from './trial-failure.ts';

/**
 * How long after a lost connection the end of its process may become known. Longer for a server: whether it is the
 * framework's failure depends on that.
 */
const LAST_WORDS_MS = { user: 300, server: 3000 };

export interface TrialProcessesOptions {
  planned: Pick<PlannedTrial, 'framework' | 'mode' | 'users' | 'probes'>;
  crowd?: TrialCrowd;
  fleet: Fleet;
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
      users: options.planned.users,
      events: {
        onRecords: options.onRecords,
        onFailed: (member, message, by) => this.#lose(member, message, by),
        // Where its process has ended, the fleet is about to say how, which tells more.
        onDisconnected: (member, { message }) =>
          setTimeout(() => this.#lose(member, `cut off from the coordinator: ${message}`), LAST_WORDS_MS[member.role]),
      },
    });
  }

  /** Aborts with the `TrialFailure` where a process is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Where users' pages are. */
  get pageUrl(): string {
    return this.#coordinator.pageUrl(this.#options.fleet.network.coordinator.reachedAt);
  }

  /** Those that have connected, by number. */
  get users(): readonly Member[] {
    return this.#coordinator.users;
  }

  /** Whether some users are played from a recording. */
  get isPlayed(): boolean {
    return this.#options.crowd?.kind === 'recorded';
  }

  /** Those who hold a document: all but the played ones. */
  get replicas(): readonly Member[] {
    return this.isPlayed ? this.users.slice(0, this.#options.planned.probes) : this.users;
  }

  get played(): readonly Member[] {
    return this.isPlayed ? this.users.slice(this.#options.planned.probes) : [];
  }

  /** Null where none has connected. */
  get server(): Member | null {
    return this.#coordinator.server;
  }

  /** The server, where one has connected, and all users. */
  get all(): readonly Member[] {
    const { server, users } = this.#coordinator;
    return [...(server === null ? [] : [server]), ...users];
  }

  /** @throws the system's error where the fleet's port is taken */
  async listen(pageFolder: string | null): Promise<void> {
    const { listensOn, port } = this.#options.fleet.network.coordinator;
    await this.#coordinator.listen({ host: listensOn, port, pageFolder });
  }

  /** @param of.restartServer whether it is to be ended and started again while users type */
  async launchServer({ restartServer }: { restartServer: boolean }): Promise<void> {
    const { listensOn, port } = this.#options.fleet.network.server;
    const listening = ['--address', listensOn, '--port', String(port), ...(restartServer ? ['--restarts'] : [])];
    [this.#serverHost = ''] = await this.#launch('server', 'harness/server/main.ts', listening);
  }

  async launchUsers({ name, entry, mode, arguments: args, who }: UserProcess): Promise<void> {
    await this.#launch(name, entry, args, { mode, who });
  }

  /** Runs a process that needs no coordinator, to its end. @throws TrialFailure where it ends badly */
  async run(name: string, entry: string, args: string[]): Promise<void> {
    const job = { name, entry, arguments: args, copies: 1, environment: {} };
    const { failed } = await this.#options.fleet.launch(job);
    const failure = await failed;
    if (failure !== null) throw new TrialFailure(`${name}-${failure.of}`, failure.text);
  }

  /** Resolves once the server that was launched is ready; with its address, which holds the token. */
  async addressOfServer(signal: AbortSignal): Promise<string> {
    await this.#coordinator.untilConnected({ users: 0, server: true }, signal);
    const { port } = await this.#coordinator.server!.expect('ready', signal);
    return `ws://${this.#serverHost}:${port}/${this.#coordinator.token}`;
  }

  async untilAllConnected(signal: AbortSignal): Promise<void> {
    await this.#coordinator.untilConnected({ users: this.#options.planned.users, server: false }, signal);
  }

  /** Sends everyone a goodbye and resolves when all is gone, whatever goes wrong on the way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const member of this.all) member.send({ type: 'goodbye' });
    await this.#options.fleet.stop().finally(() => this.#coordinator.close());
  }

  /** @param of.mode of the users there; the cell's by default. @param of.who they are */
  async #launch(name: string, entry: string, args: string[], of: { mode?: string; who?: string } = {}) {
    const { planned, fleet } = this.#options;
    const { mode = planned.mode, who } = of;
    const controlUrl = this.#coordinator.controlUrl(fleet.network.coordinator.reachedAt);
    const { addresses, failed } = await fleet.launch({
      name,
      entry,
      arguments: ['--framework', planned.framework, '--mode', mode, ...args],
      copies: 1,
      environment: { [CONTROL_URL_VARIABLE]: controlUrl },
    });
    failed.then((failure) => {
      if (failure === null || this.#isStopping) return;
      const { text, of } = failure;
      const whole = who === undefined ? text : `${text}; lost: ${who}`;
      // That of a server's machine or connection is no failure of its framework, see FRAMEWORK_FAILURES.
      this.#lost.abort(new TrialFailure(`${name}-${of}`, redact(whole, this.#coordinator.token)));
    });
    return addresses;
  }

  #lose(member: Member, message: string, by?: 'framework'): void {
    if (this.#isStopping || this.lost.aborted) return;
    const who = member.user === null ? `the server of ${this.#options.planned.framework}` : `user ${member.user}`;
    this.#options.onLost(member, message);
    // A server is nobody's but the framework's.
    const code = by === 'framework' && member.role === 'user' ? 'client-lost' : `${member.role}-lost`;
    this.#lost.abort(new TrialFailure(code, `${who} is lost: ${message}`));
  }
}
