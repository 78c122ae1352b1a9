// States of older versions, of which `saved-by-older.json` is made. In an empty folder that holds this file, for a library below:
// npm install PACKAGES && node save-by-older.mjs LIBRARY
// Every one saves "saved by version", in which "by" became "in an older".
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const LIBRARIES = {
  yjs: {
    packages: ['yjs@13.0.0'],
    async save() {
      const Y = await import('yjs');
      const doc = new Y.Doc();
      const text = doc.getText('text');
      write(text);
      return [text.toString(), Y.encodeStateAsUpdate(doc)];
    },
  },
  automerge: {
    packages: ['@automerge/automerge@2.0.0'],
    save() {
      const Automerge = require('@automerge/automerge');
      let doc = Automerge.from({ text: new Automerge.Text('saved by version') });
      doc = Automerge.change(doc, ({ text }) => {
        text.deleteAt(6, 2);
        text.insertAt(6, ...'in an older');
      });
      return [doc.text.toString(), Automerge.save(doc)];
    },
  },
  loro: {
    packages: ['loro-crdt@1.0.7'],
    save() {
      const { LoroDoc } = require('loro-crdt');
      const doc = new LoroDoc();
      const text = doc.getText('text');
      write(text);
      doc.commit();
      return [text.toString(), doc.export({ mode: 'snapshot' })];
    },
  },
  collabs: {
    packages: ['@collabs/collabs@0.11.0'],
    save() {
      const { CRuntime, CText } = require('@collabs/collabs');
      const runtime = new CRuntime();
      const text = runtime.registerCollab('text', (init) => new CText(init));
      runtime.transact(() => write(text));
      return [text.toString(), runtime.save()];
    },
  },
  sharedb: {
    packages: ['sharedb@1.0.0', 'rich-text@4.0.0'],
    async save() {
      const ShareDB = require('sharedb');
      const { type } = require('rich-text');
      ShareDB.types.register(type);
      const backend = new ShareDB();
      const doc = backend.connect().get('documents', 'one');
      await new Promise((resolve) => doc.create([{ insert: 'saved by version' }], type.uri, resolve));
      await new Promise((resolve) => doc.submitOp([{ retain: 6 }, { insert: 'in an older' }, { delete: 2 }], resolve));
      const { v, data } = await new Promise((resolve) =>
        backend.db.getSnapshot('documents', 'one', null, null, (_error, snapshot) => resolve(snapshot)),
      );
      backend.close();
      return [doc.data.ops.map(({ insert }) => insert).join(''), JSON.stringify({ v, type: type.uri, data })];
    },
  },
  'json-joy': {
    packages: ['json-joy@16.19.0'],
    save() {
      const { Model } = require('json-joy/lib/json-crdt');
      const model = Model.create(undefined, 65_536);
      model.api.root({ text: 'saved by version' });
      const text = model.api.str(['text']);
      text.del(6, 2);
      text.ins(6, 'in an older');
      model.api.flush();
      return [model.view().text, model.toBinary()];
    },
  },
  replicache: { packages: ['replicache@13.0.0'], save: saveReplicache },
};

function write(text) {
  text.insert(0, 'saved by version');
  text.delete(6, 2);
  text.insert(6, 'in an older');
}

/** It asks the internet nothing: there is no server, and its key is the one for tests. */
async function saveReplicache() {
  const { Replicache, TEST_LICENSE_KEY } = await import('replicache');
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
  return [text, JSON.stringify(saved)];
}

const { packages, save } = LIBRARIES[process.argv[2]];
const [text, saved] = await save();
console.log(JSON.stringify({ package: packages[0], text, base64: Buffer.from(saved).toString('base64') }, null, 2));
process.exit();
