/** Which frameworks can be explored, and with what behind their users. */
import type { FrameworkAbout, StoreMeans } from '../../editors/base/framework.ts';
import { UserError } from '../../results/user-error.ts';
import type { Framework } from '../framework.ts';
import { readyProjectPackages } from '../packages/project-packages.ts';
import { ONE_IN_MEMORY, type WorldBacking } from './world.ts';

/** Why a framework cannot be explored with that behind its users, as far as its description says. */
export function whyNotExplored(about: FrameworkAbout, backing: WorldBacking = ONE_IN_MEMORY): string | null {
  const { hosted, oneWriter, needs, severalServers, stores = {} } = about;
  const { servers, hasStore } = backing;
  if (hosted !== undefined) return 'its client and its server are somebody else’s';
  if (oneWriter) return 'it merges nothing: one writer at a time';
  if (needs !== undefined) return 'its server is a program of its own, which no virtual clock reaches';
  if (servers > 1 && severalServers === undefined) {
    return 'it has no way for several servers to share a document; leave --servers out';
  }
  const needed = servers > 1 ? severalServers?.needsStore : undefined;
  if (needed !== undefined && stores[needed]?.inWorlds === undefined) {
    return `its servers share documents only by ${needed}, which worlds do not have; leave --servers out`;
  }
  return hasStore && storeInWorlds(about) === undefined ? 'it has no store that worlds have; leave --store out' : null;
}

/** The store whose place a stand-in takes; absent: none has one. */
function storeInWorlds({ stores = {} }: FrameworkAbout): StoreMeans | undefined {
  return Object.values(stores).find(({ inWorlds }) => inWorlds !== undefined);
}

/** The backing asked for, with the store that several servers need. */
export function backingFor(about: FrameworkAbout, { servers, hasStore: isAsked }: WorldBacking): WorldBacking {
  const hasStore = isAsked || (servers > 1 && about.severalServers?.needsStore !== undefined);
  return { servers, hasStore, writtenMs: hasStore ? storeInWorlds(about)?.writtenMs : undefined };
}

/** Why a framework is not explored, where that was asked. */
export class NotExplored extends UserError {
  /** In a sentence. */
  readonly why: string;

  constructor(framework: string, why: string) {
    super(`${framework} is not explored: ${why}`);
    this.why = why;
  }
}

/**
 * Installs the packages for what is behind the users; a framework from outside has its own.
 *
 * @throws NotExplored; UserError (exit code 3) if they cannot be installed
 */
export async function readyBacking(
  { name, about, kind }: Framework,
  backing: WorldBacking,
  say?: (text: string) => void,
): Promise<void> {
  const why = whyNotExplored(about, backing);
  if (why !== null) throw new NotExplored(name, why);
  if (kind === 'outside') return;
  const sharing = backing.servers > 1 ? (about.severalServers?.packages ?? []) : [];
  const keeping = backing.hasStore ? (storeInWorlds(about)?.inWorlds ?? []) : [];
  await readyProjectPackages([...sharing, ...keeping], { say });
}
