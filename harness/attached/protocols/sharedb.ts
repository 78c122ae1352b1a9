/** The protocol of ShareDB, in JSON. Source: its lib/agent.js. */
import { attempt, NOTHING, type Protocol, UNHEARD } from './protocol.ts';

/** As in editors/sharedb/document.ts, whose package is not always there. */
export const SHAREDB_COLLECTION = 'documents';

const HANDSHAKE = { a: 'hs', id: null, protocol: 1, protocolMinor: 2 };

/** The content of a rich text that was made and never typed into, as Quill and this project's clients make one. */
const BLANK = JSON.stringify({ ops: [{ insert: '\n' }] });

const asText = (message: object) => JSON.stringify(message);

export const sharedb: Protocol = {
  name: 'sharedb-json',
  title: 'the protocol of ShareDB',
  ask: ({ document }) => [HANDSHAKE, { a: 'f', c: SHAREDB_COLLECTION, d: document }].map(asText),
  read(frame) {
    if (typeof frame !== 'string') return null;
    return attempt(() => {
      const { a: action, error, data } = JSON.parse(frame);
      if (action === 'f' && error !== undefined) return { ...NOTHING, denied: error.message };
      if (action === 'f') {
        // One that nobody made has no type.
        const isMade = data.type !== undefined && data.type !== null;
        return { ...NOTHING, isEmpty: !isMade || JSON.stringify(data.data) === BLANK };
      }
      return ['hs', 'init'].includes(action) ? NOTHING : null;
    });
  },
  reading: {
    isBelieved: true,
    reader({ document, presence }) {
      let version: number | undefined;
      const presenceToo = presence ? [{ a: 'ps', ch: `${SHAREDB_COLLECTION}.${document}`, seq: 1 }] : [];
      return {
        opening: () =>
          [HANDSHAKE, { a: 's', c: SHAREDB_COLLECTION, d: document, v: version }, ...presenceToo].map(asText),
        hear(frame) {
          const { a: action, error, data } = attempt(() => JSON.parse(String(frame))) ?? {};
          if (action !== 's') return UNHEARD;
          if (error !== undefined) return { ...UNHEARD, denied: error.message };
          version ??= data?.v;
          return { answers: [], isIn: true };
        },
      };
    },
  },
};
