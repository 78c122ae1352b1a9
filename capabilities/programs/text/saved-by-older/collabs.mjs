// In an empty folder that holds this file: npm install @collabs/collabs@0.11.0 && node collabs.mjs > collabs.json
import { createRequire } from 'node:module';

const { CRuntime, CText } = createRequire(import.meta.url)('@collabs/collabs');
const runtime = new CRuntime();
const text = runtime.registerCollab('text', (init) => new CText(init));
runtime.transact(() => {
  text.insert(0, 'saved by version');
  text.delete(6, 2);
  text.insert(6, 'in an older');
});
const base64 = Buffer.from(runtime.save()).toString('base64');
console.log(JSON.stringify({ package: '@collabs/collabs@0.11.0', text: text.toString(), base64 }, null, 2));
