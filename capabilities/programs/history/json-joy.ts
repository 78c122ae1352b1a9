/** With json-joy's log of patches, which is kept beside the document. */
import { Model } from 'json-joy/lib/json-crdt/index.js';
import { Log } from 'json-joy/lib/json-crdt/log/Log.js';
import type { ITimestampStruct } from 'json-joy/lib/json-crdt-patch/index.js';
import type { Program } from '../outcome.ts';
import { FIRST_SESSION } from '../pairs/json-joy.ts';
import { looksBack } from './history.ts';

export const program: Program = () =>
  looksBack<ITimestampStruct>(() => {
    const model = Model.create(undefined, FIRST_SESSION);
    model.api.set({ text: '' });
    const log = Log.fromNewModel(model);
    const textOf = (of: Model) => (of.view() as { text: string }).text;
    let last: ITimestampStruct;
    return {
      write(written) {
        const node = log.end.api.str(['text']);
        if (node.length() > 0) node.del(0, node.length());
        node.ins(0, written);
        last = log.end.api.flush().getId()!;
      },
      version: () => last,
      textAt: (version) => textOf(log.replayTo(version)),
      text: () => textOf(log.end),
    };
  });
