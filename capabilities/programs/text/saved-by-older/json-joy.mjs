// In an empty folder that holds this file: npm install json-joy@16.19.0 && node json-joy.mjs > json-joy.json
import { createRequire } from 'node:module';

const { Model } = createRequire(import.meta.url)('json-joy/lib/json-crdt');
const model = Model.create(undefined, 65_536);
model.api.root({ text: 'saved by version' });
const text = model.api.str(['text']);
text.del(6, 2);
text.ins(6, 'in an older');
model.api.flush();
const base64 = Buffer.from(model.toBinary()).toString('base64');
console.log(JSON.stringify({ package: 'json-joy@16.19.0', text: model.view().text, base64 }, null, 2));
