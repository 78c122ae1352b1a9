/** my-framework: its own server, in memory. */
import { frameworkServer } from '../../../../../servers/kit.ts';
import { CLIENT_PARAMETER, REVISION_PARAMETER } from '../editor/stand-in.ts';
import { StandInDocument } from './stand-in.ts';

// TO WRITE: the library's server in the place of the stand-in's. It gets its connections and opens no port: in a trial
// they come from one behind a token, in the simulation of a crowd from users in this process. It keeps its documents in
// memory, and keeps them when all users left. What a client sends must not end it.
export const server = frameworkServer((connections) => {
  const documents = new Map<string, StandInDocument>();
  connections.on('connection', (socket, request) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'ws://server');
    const document = documents.get(pathname) ?? new StandInDocument();
    documents.set(pathname, document);
    const revision = searchParams.get(REVISION_PARAMETER);
    document.connect(socket, searchParams.get(CLIENT_PARAMETER) ?? '', revision === null ? null : Number(revision));
  });
  // TO WRITE: a function that ends what is left of the server, such as timers, once its connections are closed.
  return null;
});
