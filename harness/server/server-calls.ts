/** The talk between a server's process (`server-main.ts`) and the one beside it (`server-process.ts`). */
import type { Backing } from '../../servers/server.ts';
import type { GroupedDelays } from '../probes/this-process.ts';

export interface ServerPlace {
  address: string;
  /** 0: any free one. */
  port: number;
  /** The secret that every client must know. */
  token: string;
  /** Absent: it is alone, and keeps documents in memory. */
  backing?: Backing;
}

/** True if the server itself writes its documents to files. */
export function keepsFiles({ store }: Pick<Backing, 'store'> = {}): boolean {
  return store !== undefined && 'folder' in store;
}

/** Calls to the server's process. */
export interface ServerCalls {
  /** @returns `program`: the server's process id if it is a program of its own, before which the called process only stands */
  listen(place: ServerPlace): Promise<{ port: number; program: number | null }>;
  /** A CPU profile, as JSON; null if the server is another program. */
  profile(durationMs: number): Promise<string | null>;
  /** Cuts every connection, and takes none for so long. */
  drop(forMs: number): Promise<void>;
  /** Collects the garbage of its process; of another program, nobody can. */
  collect(): Promise<void>;
}

/** Counters of a server's process since it began: bytes of all connections that it accepted, its CPU time, what it wrote to files. */
export interface Counters {
  sentBytes: number;
  receivedBytes: number;
  cpuMs: number;
  /** Null if it keeps no documents in files, or if the system does not tell. */
  fileBytes: number | null;
}

/** News from the server's process. */
export interface ServerNews {
  /** `delays`: those of its event loop since the report before. `atMs`: when it read its counters, as late as it may tell. */
  report: Counters & { atMs: number; delays: GroupedDelays };
  /** The program behind it ended: the end of a sentence after its name. */
  failed: string;
}
