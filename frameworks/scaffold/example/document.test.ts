import { testRelayedDocument } from '../../../tests/relayed-suite.ts';
import { createDocument, loadContents } from './document.ts';

testRelayedDocument({ create: createDocument, load: loadContents });
