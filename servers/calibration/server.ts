/** The calibration's server: a relay with the defects that the document's name tells. */
import { join } from 'node:path';
import * as Y from 'yjs';
import { type Defects, defectsOf } from '../../editors/calibration/defects.ts';
import { Child, nodeCommand } from '../../infra/process/child.ts';
import { frameworkServer } from '../listen.ts';
import { createRelay } from '../relay.ts';
import { burn } from './burn.ts';

const CHILD = join(import.meta.dirname, 'child.ts');

export const server = frameworkServer((connections) => {
  const kept: Buffer[] = [];
  let child: Child | undefined;
  const suffer = ({ serverMs, childMs, serverKiB }: Defects) => {
    burn(serverMs);
    if (childMs > 0) {
      child ??= new Child({ command: nodeCommand(CHILD), hasChannel: true, isTethered: false });
      child.process.send(childMs);
    }
    if (serverKiB > 0) kept.push(Buffer.alloc(serverKiB * 1024, 1));
  };
  const counts = new WeakMap<object, number>();
  const relay = createRelay({
    treat({ document, from, data, pass }) {
      const defects = defectsOf(document);
      suffer(defects);
      const count = (counts.get(from) ?? 0) + 1;
      counts.set(from, count);
      const lateMs = count % defects.lateEvery === 0 ? defects.lateMs : 0;
      const ms = defects.holdMs + lateMs + heldMs(defects, data);
      if (ms > 0) setTimeout(pass, ms);
      else pass();
    },
  });
  relay.serve(connections);
  return () => {
    child?.kill();
    kept.length = 0;
  };
});

/** Delay of a message by its kind, ms; without such defects the message is not decoded. */
function heldMs({ deletionMs, formatMs }: Defects, message: Uint8Array): number {
  if (deletionMs + formatMs === 0) return 0;
  return { deletion: deletionMs, format: formatMs, other: 0 }[kindOf(message)];
}

/** The kind of a message of `yjs-relay`, which is one update of Yjs. */
export function kindOf(message: Uint8Array): 'deletion' | 'format' | 'other' {
  const { structs } = Y.decodeUpdate(message);
  // A deletion holds nothing else; a format holds the marks of its ends, and may replace others.
  if (structs.length === 0) return 'deletion';
  return structs.every((struct) => struct instanceof Y.Item && struct.content instanceof Y.ContentFormat)
    ? 'format'
    : 'other';
}
