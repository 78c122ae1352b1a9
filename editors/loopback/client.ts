/**
 * Loopback: hands every delta of the one writer to the watchers through a relay, and merges nothing. It costs next to
 * nothing, so what is measured with it is the harness itself. With two writers it diverges, and the verdict must say so.
 */
import Delta from 'quill-delta';
import { createBatcher } from '../batching.ts';
import type { FrameworkClient, JoinOptions, Replica } from '../framework.ts';

const SOURCE = 'loopback';

export const client: FrameworkClient = {
  async join({ url, documentId, editor, batching, onLost }: JoinOptions): Promise<Replica> {
    let model = new Delta().insert('\n');
    const socket = new WebSocket(`${url}/${documentId}`);
    const decoder = new TextDecoder();

    const outgoing = createBatcher<Delta>(batching.sendMs, (deltas) => {
      socket.send(JSON.stringify(composeAll(deltas).ops));
    });
    const incoming = createBatcher<Delta>(batching.receiveMs, (deltas) => {
      const change = composeAll(deltas);
      model = model.compose(change);
      editor.updateContents(change, SOURCE);
    });

    socket.binaryType = 'arraybuffer';
    await new Promise<void>((resolve, reject) => {
      socket.onerror = () => reject(new Error(`no WebSocket connection to the loopback server at ${url}`));
      socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
        // The relay's log ends with an empty message.
        if (data.byteLength === 0) resolve();
        else incoming.add(new Delta(JSON.parse(decoder.decode(data))));
      };
    });
    socket.onclose = ({ code }) => onLost(`the loopback server closed the connection (code ${code})`);

    editor.setContents(model, SOURCE);
    const onChange = (change: Delta, _before: Delta, source: unknown) => {
      if (source === SOURCE) return;
      model = model.compose(change);
      outgoing.add(change);
    };
    editor.on('text-change', onChange);
    return {
      contents: () => model,
      save: () => new TextEncoder().encode(JSON.stringify(model.ops)),
      async leave() {
        outgoing.flush();
        incoming.stop();
        editor.off('text-change', onChange);
        socket.onclose = null;
        socket.close();
      },
    };
  },
};

function composeAll(deltas: Delta[]): Delta {
  return deltas.reduce((all, next) => all.compose(next));
}
