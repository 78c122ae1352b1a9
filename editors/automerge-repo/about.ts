import { about as automerge } from '../automerge/about.ts';
import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: '@automerge/automerge-repo',
  besides: ['@automerge/automerge', '@automerge/automerge-repo-network-websocket'],
  algorithm: 'RGA, with formatting marks after Peritext; synchronised with Bloom filters of changes',
  licence: 'MIT',
  server: 'an automerge-repo Repo in memory',
  tier: 'deployed',
  withoutSendBatching: 'It sends at most every 100 ms by a rhythm of its own, which cannot be set.',
  crowd: {
    kind: 'live',
    why: 'A client’s next message depends on the Bloom filter of changes in the server’s answer.',
  },
  attaches: { protocol: 'automerge-sync', documentIn: 'messages' },
  stores: {
    files: {
      by: 'NodeFSStorageAdapter of automerge-repo',
      writes:
        'each change as a file of its own, 100 ms after it at most; the whole document in their place once they are larger than it',
      packages: ['@automerge/automerge-repo-storage-nodefs'],
      inWorlds: [],
    },
  },
  severalServers: {
    by: 'its WebSocket adapters: each server is a client of those before it, and announces its documents to all of them',
  },
  presence: {
    by: 'automerge-repo’s Presence, by ephemeral messages, with Automerge’s cursors; the project’s own binding shows them',
  },
  colour: { light: '#7c2a00', dark: '#ffc3a1' },
  knownIssues: [
    ...automerge.knownIssues!,
    {
      summary: 'Where a clock is set back, edits wait for as long as it was set back.',
      properties: [],
      worlds: { invariants: ['agree', 'newcomer', 'join', 'deleted'], after: ['jump'] },
    },
    {
      summary:
        'If a message of the server is lost as a line breaks, its client stays behind for ever, and both ends never stop exchanging messages.',
      // Hardly anything is on its way there when a line breaks.
      properties: [],
      worlds: { invariants: ['agree', 'quiet', 'newcomer', 'join'], after: ['cut', 'close', 'restart'] },
    },
    {
      summary:
        'A client whose line stands still while it connects opens one more connection each 5 s, and closes none.',
      properties: [],
      worlds: { invariants: ['one-connection'], after: ['stall'] },
    },
    {
      summary:
        'With some forty writers the server uses a whole core, falls tens of seconds behind, and cuts users off.',
      // The suite has three users.
      properties: [],
    },
  ],
};
