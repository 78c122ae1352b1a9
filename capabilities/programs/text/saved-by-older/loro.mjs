// In an empty folder that holds this file: npm install loro-crdt@1.0.7 && node loro.mjs > loro.json
import { createRequire } from 'node:module';

const { LoroDoc } = createRequire(import.meta.url)('loro-crdt');
const doc = new LoroDoc();
const text = doc.getText('text');
text.insert(0, 'saved by version');
text.delete(6, 2);
text.insert(6, 'in an older');
doc.commit();
const base64 = Buffer.from(doc.export({ mode: 'snapshot' })).toString('base64');
console.log(JSON.stringify({ package: 'loro-crdt@1.0.7', text: text.toString(), base64 }, null, 2));
