/** The calibration's server: a relay with the defects that the document's name tells. */
import { type ChildProcess, fork } from 'node:child_process';
import { type Defects, defectsOf } from '../../editors/calibration/defects.ts';
import { frameworkServer } from '../listen.ts';
import { createRelay } from '../relay.ts';
import { burn } from './burn.ts';

export const server = frameworkServer((connections) => {
  const kept: Buffer[] = [];
  let child: ChildProcess | undefined;
  const suffer = ({ serverMs, childMs, serverKiB }: Defects) => {
    burn(serverMs);
    if (childMs > 0) {
      child ??= fork(new URL('./child.ts', import.meta.url));
      child.send(childMs);
    }
    if (serverKiB > 0) kept.push(Buffer.alloc(serverKiB * 1024, 1));
  };
  const relay = createRelay({
    treat({ document, pass }) {
      const defects = defectsOf(document);
      suffer(defects);
      if (defects.holdMs > 0) setTimeout(pass, defects.holdMs);
      else pass();
    },
  });
  relay.serve(connections);
  return () => {
    child?.kill();
    kept.length = 0;
  };
});
