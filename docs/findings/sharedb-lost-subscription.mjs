// Who opens a document as the last user at a server leaves it hears nothing of other servers. Needs a Redis at port 6379.
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import RedisPubSub from 'sharedb-redis-pubsub';

const { REDIS_PORT: port = 6379, REDIS_PASSWORD: password } = process.env;
const [here, elsewhere] = [0, 1].map(() => new RedisPubSub({ url: `redis://127.0.0.1:${port}`, password }));
const subscription = promisify(here.subscribe.bind(here));

/** As ShareDB does for each user who opens a document. */
async function subscribe(channel, heard) {
  const stream = await subscription(channel);
  stream.on('data', ({ v }) => heard.push(v));
  return stream;
}

/** The only user leaves; another comes, later a third. */
async function heardAfter(pauseMs) {
  const [channel, second, third] = [`document ${pauseMs}`, [], []];
  (await subscribe(channel, [])).destroy();
  if (pauseMs > 0) await sleep(pauseMs);
  await subscribe(channel, second);
  for (const v of [1, 2]) {
    await sleep(1000);
    if (v === 2) await subscribe(channel, third);
    elsewhere.publish([channel], { v }, () => {});
  }
  await sleep(1000);
  return { second, third };
}

console.log(JSON.stringify({ later: await heardAfter(1000), atOnce: await heardAfter(0) }));
process.exit();
