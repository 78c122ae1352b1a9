/** A fleet: where processes run. It knows commands, copies and resources; not users, servers or experiments. */

export interface Job {
  /** For messages: "server", "users". */
  name: string;
  /** The Node entry file, relative to the project's root, and its arguments. */
  entry: string;
  arguments: string[];
  copies: number;
  environment: Record<string, string>;
  resources?: Resources;
}

/** Limits for each copy; absent means: no limit. */
export interface Resources {
  cpus?: number;
  memoryMiB?: number;
}

export interface Launched {
  /** Settles when the copies have all ended, or one ended badly: with what a person should read, or null where all is well. */
  failed: Promise<string | null>;
}

export interface Fleet {
  name: string;
  /** The address at which processes of this fleet reach the coordinator that listens in this process. */
  coordinatorHost: string;
  launch(job: Job): Promise<Launched>;
  /** Ends everything launched, and resolves only when it is gone. Safe to call twice, and at any moment. */
  stop(): Promise<void>;
}
