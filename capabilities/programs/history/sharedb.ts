/** The server has every operation, and makes an earlier version of them. */
import type { Program } from '../outcome.ts';
import { COLLECTION, ID, serveDocument, settled } from '../sharedb/server.ts';
import { looksBack } from './history.ts';

export const program: Program = () =>
  looksBack<number>(async () => {
    const server = await serveDocument({ text: '' });
    const client = await server.join();
    const { connection, doc } = client;
    return {
      async write(text) {
        doc.submitOp([
          { p: ['text', 0], sd: doc.data.text },
          { p: ['text', 0], si: text },
        ]);
        await settled(client);
      },
      version: () => doc.version!,
      textAt: (version) =>
        new Promise((resolve, reject) =>
          connection.fetchSnapshot(COLLECTION, ID, version, (error, snapshot) =>
            error ? reject(error) : resolve(snapshot.data.text),
          ),
        ),
      text: () => doc.data.text,
      close: () => server.close(),
    };
  });
