import * as prng from 'lib0/prng';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { canonicalDelta } from '../../editors/base/delta.ts';
import type { FrameworkClient, Replica } from '../../editors/base/framework.ts';
import { createNoQuillScreen } from '../../editors/base/noquill/screen.ts';
import { loadServer, type RunningServer } from '../server.ts';

const SEED = 20_231;
const ROUNDS = 60;
const NEWCOMER_EVERY = 10;

let server: RunningServer;
let replicas: Replica[] = [];
beforeEach(() => {
  replicas = [];
});
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.leave()));
  await server.stop();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const text = (replica: Replica) => JSON.stringify(canonicalDelta(replica.contents()).ops);

describe.each(['collabs', 'collabs-novc'])('%s', (framework) => {
  test('who joins while others type gets each message once, and none before those it depends on', async () => {
    // Without vector clocks, Collabs prints what it cannot deliver and goes on.
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { client }: { client: FrameworkClient } = await import(`../../editors/${framework}/client.ts`);
    server = await (await loadServer(framework)).start({ host: '127.0.0.1', port: 0 });
    const editors: ReturnType<typeof createNoQuillScreen>['editor'][] = [];
    const join = async () => {
      const { editor } = createNoQuillScreen(null);
      const url = `ws://127.0.0.1:${server.port}`;
      const batching = { receiveMs: 1, sendMs: 0 };
      const onLost = (reason: string) => {
        throw new Error(reason);
      };
      const options = { url, documentId: 'document', editor, batching, onLost, onReconnected: () => {} };
      replicas.push(await client.join(options));
      editors.push(editor);
    };
    await Promise.all([join(), join()]);

    const generator = prng.create(SEED);
    const newcomers: Promise<void>[] = [];
    let typed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      if (round % NEWCOMER_EVERY === 0) newcomers.push(join());
      for (const editor of editors) {
        editor.insertText(prng.int32(generator, 0, editor.getLength() - 1), 'x', 'user');
        typed++;
      }
      await turn();
    }
    await Promise.all(newcomers);

    await vi.waitFor(() => expect(editors.map((editor) => editor.getLength())).toEqual(editors.map(() => typed + 1)), {
      timeout: 5_000,
    });
    expect(new Set(replicas.map(text)).size, `seed ${SEED}`).toBe(1);
    expect(printed).not.toHaveBeenCalled();
  });
});
