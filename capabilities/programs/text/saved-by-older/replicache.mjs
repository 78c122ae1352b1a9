// In an empty folder that holds this file: npm install replicache@13.0.0 && node replicache.mjs > replicache.json
// It asks the internet nothing: there is no server, and this key is the one for tests.
import { Replicache, TEST_LICENSE_KEY } from 'replicache';

const insert = async (tx, { position, text }) => {
  const before = (await tx.get('text')) ?? '';
  await tx.put('text', before.slice(0, position) + text + before.slice(position));
};
const databases = {};
const replicache = new Replicache({
  name: 'saved',
  licenseKey: TEST_LICENSE_KEY,
  mutators: { insert },
  pullInterval: null,
  logLevel: 'error',
  // A store in memory, of which all can be read.
  experimentalCreateKVStore(name) {
    databases[name] ??= new Map();
    const entries = databases[name];
    const begin = async () => ({
      has: async (key) => entries.has(key),
      get: async (key) => entries.get(key),
      put: async (key, value) => void entries.set(key, value),
      del: async (key) => void entries.delete(key),
      commit: async () => {},
      release() {},
      closed: false,
    });
    return { read: begin, write: begin, close: async () => {}, closed: false };
  },
});
await replicache.mutate.insert({ position: 0, text: 'saved version' });
await replicache.mutate.insert({ position: 6, text: 'in an older ' });
const text = await replicache.query((tx) => tx.get('text'));
// It writes what it has into its store about a second later.
await new Promise((resolve) => setTimeout(resolve, 5000));
const saved = Object.fromEntries(Object.entries(databases).map(([name, all]) => [name, Object.fromEntries(all)]));
const base64 = Buffer.from(JSON.stringify(saved)).toString('base64');
console.log(JSON.stringify({ package: 'replicache@13.0.0', text, base64 }, null, 2));
process.exit();
