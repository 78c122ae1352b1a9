// In an empty folder that holds this file: npm install @automerge/automerge@2.0.0 && node automerge.mjs > automerge.json
import { createRequire } from 'node:module';

const Automerge = createRequire(import.meta.url)('@automerge/automerge');
let doc = Automerge.from({ text: new Automerge.Text('saved by version') });
doc = Automerge.change(doc, ({ text }) => {
  text.deleteAt(6, 2);
  text.insertAt(6, ...'in an older');
});
const base64 = Buffer.from(Automerge.save(doc)).toString('base64');
console.log(JSON.stringify({ package: '@automerge/automerge@2.0.0', text: doc.text.toString(), base64 }, null, 2));
