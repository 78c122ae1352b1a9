/** A fleet: where processes run, and its abilities. It knows commands and resources; not users, servers or experiments. */
import { badEnd, type ChildEnd } from './process/child.ts';
import { replacedPackages } from './process/packages.ts';

export interface Job {
  /** The kind of process, such as "server" or "users": for messages, and for fleets with another machine for each kind. */
  name: string;
  /** The Node entry file, relative to the project's root, and its arguments. */
  entry: string;
  arguments: string[];
  environment: Record<string, string>;
  /** The role of the worker that it takes, on fleets of workers; absent: as its name says. */
  role?: string;
  /** Which of the fleet's places it must run in; absent: any. A fleet with one place takes no notice. */
  group?: string;
}

/** Limits for each process; null means: no limit. */
export interface Resources {
  cpus: number | null;
  memoryMiB: number | null;
}

/**
 * A process ends with it that has no connection to whoever gives it orders, and can do nothing about that: EX_TEMPFAIL of
 * BSD's sysexits.h.
 */
export const CUT_OFF_EXIT_CODE = 75;

/** Why a process did not end well. */
export interface Failure {
  /** Text for a person. */
  text: string;
  /**
   * The process itself; what it ran on, or was to run on, of which it knows nothing; or its connection to whoever gives it
   * orders.
   */
  of: 'process' | 'machine' | 'connection';
}

interface Launched {
  /** The address at which the fleet's other processes reach it; null if it could not be started. */
  address: string | null;
  /** Settles when it has ended: with why it ended badly, or null if all is well. */
  failed: Promise<Failure | null>;
}

/** Addresses to listen on, and the way from the fleet's processes to this process. Port 0 means: any free one. */
export interface FleetNetwork {
  coordinator: {
    /** The interface of this machine that the coordinator, in this process, listens on. */
    listensOn: string;
    port: number;
    /** The address at which processes of the fleet reach it. */
    reachedAt: string;
  };
  /** The interface and port that a server listens on where it runs. */
  server: { listensOn: string; port: number };
}

/** All on this machine, and open to nobody else. */
export const LOOPBACK: FleetNetwork = {
  coordinator: { listensOn: '127.0.0.1', port: 0, reachedAt: '127.0.0.1' },
  server: { listensOn: '127.0.0.1', port: 0 },
};

/** The place in which the processes of a trial run. */
export interface Fleet {
  network: FleetNetwork;
  /** Starts a process. That it cannot be started is told by `failed`. */
  launch(job: Job): Promise<Launched>;
  /** Ends everything launched, and resolves only when it is gone. Safe to call twice, and at any moment. */
  stop(): Promise<void>;
}

/** Processes of a kind that a trial is about to launch; `name` and `group` are their jobs'. */
export interface Need {
  name: string;
  group?: string;
  count: number;
  /** Of them, so many are launched last, and are beside the server, whatever regions the others are in; absent: none. */
  atServer?: number;
  /** For each of them. */
  resources: Resources;
}

/** A fleet for all trials of a run, one after the other. */
export interface RunFleet extends Fleet {
  /** The version of the Chrome that users get; null: the one of this machine. */
  chrome: string | null;
  /**
   * Readies what the next trial needs; the one before has been stopped.
   *
   * @throws UserError (exit code 3) if the fleet cannot give it
   */
  ready(needs: readonly Need[]): Promise<void>;
  /** Ends all that the run has started. Safe to call twice, and at any moment. */
  close(): Promise<void>;
}

export interface FleetAbout {
  /** The place of its processes, for the experiment file's description. */
  description: string;
  /** True: each process gets a container of its own, with limits of CPU and memory. */
  limits: boolean;
  /** Users that share one process, and so one browser, if nobody says another number. */
  usersPerProcess: number;
  /**
   * True: its processes are this one's own children, and share its machine, its files and its loopback interface; no container is between.
   * They alone can play crowds, edit documents of another's service, or be of another checkout.
   */
  isHere: boolean;
  /**
   * True: the fleet has regions that are really apart. Then the server needs one, and users in another have the real distance
   * instead of an artificial delay.
   */
  regions: boolean;
  /** True: a resumed run can be asked to have the same machine again. */
  sameMachine: boolean;
  /**
   * True: the needs of frameworks beside the project (folders from outside, packages on demand, Python) come to where its
   * processes run.
   */
  bringsFrameworks: boolean;
  /** True: several of a framework's servers can listen beside each other, at any ports. */
  severalServers: boolean;
}

/** How a job's process failed; null if it ended well. @param who names it, as in "the server process" */
export function failureOf(who: string, end: ChildEnd, replaced = replacedPackages): Failure | null {
  if (end.code === CUT_OFF_EXIT_CODE) {
    const { lastWords } = end;
    return { text: `${who} has no connection to the coordinator${lastWords && `:\n${lastWords}`}`, of: 'connection' };
  }
  const problem = badEnd(end, replaced);
  if (problem === null) return null;
  return { text: `${who} ${problem}`, of: replaced(end.lastWords) === null ? 'process' : 'machine' };
}
