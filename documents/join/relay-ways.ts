/** The server that gives a newcomer the document in one of the ways that are compared. */

import { findFramework } from '../../frameworks/discover.ts';
import { loadServer } from '../../frameworks/halves.ts';
import { createRelay, type RelayServer } from '../../servers/relay.ts';
import type { FrameworkServer } from '../../servers/server.ts';
import type { JoinCell } from './cells.ts';

/** EtherCalc's number of commands between two snapshots. */
const MESSAGES_PER_SNAPSHOT = 100;

/** @throws Error where the framework has no relay, or its relay saves no states */
export async function serverOf({ framework, way }: Pick<JoinCell, 'framework' | 'way'>): Promise<FrameworkServer> {
  const own: FrameworkServer & Partial<RelayServer> = await loadServer(await findFramework(framework));
  if (way === 'deployed') return own;
  const { compact } = own;
  if (compact === undefined) throw new Error(`the server of ${framework} saves no states, so there is no "${way}"`);
  switch (way) {
    case 'backlog':
      return createRelay({ compact, compactEvery: Number.POSITIVE_INFINITY });
    case 'snapshots':
      return createRelay({ compact, compactEvery: MESSAGES_PER_SNAPSHOT });
    case 'state':
      return createRelay({ compact });
  }
}
