// In an empty folder that holds this file: npm install sharedb@1.0.0 rich-text@4.0.0 && node sharedb.mjs > sharedb.json
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const ShareDB = require('sharedb');
const { type } = require('rich-text');
ShareDB.types.register(type);
const backend = new ShareDB();
const doc = backend.connect().get('documents', 'one');
doc.create([{ insert: 'saved by version' }], type.uri, () => {
  doc.submitOp([{ retain: 6 }, { insert: 'in an older' }, { delete: 2 }], () => {
    backend.db.getSnapshot('documents', 'one', null, null, (_error, { v, type, data }) => {
      const base64 = Buffer.from(JSON.stringify({ v, type, data })).toString('base64');
      const text = doc.data.ops.map(({ insert }) => insert).join('');
      console.log(JSON.stringify({ package: 'sharedb@1.0.0', text, base64 }, null, 2));
      backend.close();
    });
  });
});
