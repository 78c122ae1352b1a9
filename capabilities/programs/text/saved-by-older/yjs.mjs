// In an empty folder that holds this file: npm install yjs@13.0.0 && node yjs.mjs > yjs.json
import * as Y from 'yjs';

const doc = new Y.Doc();
const text = doc.getText('text');
text.insert(0, 'saved by version');
text.delete(6, 2);
text.insert(6, 'in an older');
const base64 = Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64');
console.log(JSON.stringify({ package: 'yjs@13.0.0', text: text.toString(), base64 }, null, 2));
