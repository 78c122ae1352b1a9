/**
 * Frameworks that are broken on purpose, one defect each: whatever is wrong with a framework must show in its verdict or in
 * its figures. No list offers them. Each is Yjs over the project's relay, which is honest, with something in between.
 */
import { unpackLineFormats } from '../../editors/base/binding/line-formats.ts';
import { joinThroughRelay, type RelayedDocument } from '../../editors/base/binding/relayed.ts';
import type { Editor } from '../../editors/base/editor.ts';
import type { FrameworkClient, JoinOptions, Replica } from '../../editors/base/framework.ts';
import { deltaOf, loadDocument } from '../../editors/yjs/document.ts';
import { compactLog, createDocument } from '../../editors/yjs-relay/document.ts';
import { createRelay } from '../../servers/relay.ts';
import type { FrameworkServer } from '../../servers/server.ts';

export interface BrokenFramework {
  /** The client half, as this user has it. */
  client(user: number): FrameworkClient;
  server: FrameworkServer;
  /** The server's process ends so long after it was started; absent: at the trial's end. */
  serverEndsAfterMs?: number;
  /** Each user has a thread of its own, which finds the framework by this name in at-the-client.ts; absent: all share one. */
  usersInThreads?: string;
}

export const honest: BrokenFramework = {
  client: () => clientOf((options) => joinThroughRelay('yjs-relay', createDocument(), options)),
  server: createRelay({ compact: compactLog }),
};

function clientOf(join: (options: JoinOptions) => Promise<Replica>): FrameworkClient {
  return { join, load: (saved) => unpackLineFormats(deltaOf(loadDocument(saved))) };
}

/** The defect sits at each user's document. */
export function brokenDocument(
  defect: (document: RelayedDocument, user: number) => Partial<RelayedDocument>,
): BrokenFramework {
  return {
    ...honest,
    client: (user) =>
      clientOf((options) => {
        const document = createDocument();
        return joinThroughRelay('yjs-relay', { ...document, ...defect(document, user) }, options);
      }),
  };
}

/** The defect sits between each user's editor and its document, once both are bound to each other. */
export function brokenBinding(defect: (editor: Editor, user: number) => void): BrokenFramework {
  return brokenJoin(async (join, options, user) => {
    const replica = await join(options);
    defect(options.editor, user);
    return replica;
  });
}

/** The defect sits in how users join. */
export function brokenJoin(
  defect: (join: FrameworkClient['join'], options: JoinOptions, user: number) => Promise<Replica>,
): BrokenFramework {
  return {
    ...honest,
    client: (user) => clientOf((options) => defect(honest.client(user).join, options, user)),
  };
}

/** The defect sits at the server. */
export function brokenServer(server: FrameworkServer): BrokenFramework {
  return { ...honest, server };
}
