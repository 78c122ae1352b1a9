/** What is saved is a document's snapshot, of the type for rich text, as a database keeps it; another server is given it. */
import richText from 'rich-text';
import ShareDB from 'sharedb';
import { toDelta } from '../../../editors/sharedb/document.ts';
import type { Program } from '../outcome.ts';
import { type Client, serveDocument, settled } from '../sharedb/server.ts';
import { staysReadable } from './encodings.ts';

export const program: Program = async () => {
  ShareDB.types.register(richText.type);
  const closing: (() => Promise<void>)[] = [];
  const open = async (data: unknown, type: string): Promise<Client> => {
    const server = await serveDocument(data, type);
    closing.push(server.close);
    return server.join();
  };
  const outcome = await staysReadable<Client>(
    {
      create: (text) => open([{ insert: text }], richText.type.uri!),
      async insert(client, position, text) {
        client.doc.submitOp(position > 0 ? [{ retain: position }, { insert: text }] : [{ insert: text }]);
        await settled(client);
        return client;
      },
      text: ({ doc }) =>
        toDelta(doc.data)
          .ops.map(({ insert }) => insert)
          .join(''),
      save: ({ doc }) => new TextEncoder().encode(JSON.stringify(doc.toSnapshot())),
      load(saved) {
        const { data, type } = JSON.parse(new TextDecoder().decode(saved));
        return open(data, type);
      },
    },
    'sharedb',
  );
  for (const close of closing) await close();
  return outcome;
};
