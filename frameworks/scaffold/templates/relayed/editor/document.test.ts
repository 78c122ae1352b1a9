import { testRelayedDocument } from '../../../../../tests/relayed-suite.ts';
import { createDocument, loadContents } from './document.ts';

testRelayedDocument({ create: createDocument, load: loadContents });

// TO WRITE: what is particular to this binding, such as what a message holds, or how the library's events become deltas.
