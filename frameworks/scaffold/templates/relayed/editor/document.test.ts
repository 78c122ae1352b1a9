import fc from 'fast-check';
import { test } from 'vitest';
import { playSteps, steps } from '../../../../../tests/relayed-suite.ts';
import { createDocument, loadContents } from './document.ts';

test('what changed composes to what is held, replicas agree, and a saved state holds the same', () => {
  fc.assert(
    fc.property(steps, (drawn) => {
      playSteps({
        steps: drawn,
        join(log) {
          const document = createDocument();
          document.receive([...log]);
          return document;
        },
        load: loadContents,
      });
    }),
  );
});

// TO WRITE: what is particular to this binding, such as what a message holds, or how the library's events become deltas.
