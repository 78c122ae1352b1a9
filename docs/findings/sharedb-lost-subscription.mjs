// Who opens a document as the last user at a server leaves it hears nothing of other servers. Needs a Redis at port 6379.
import { setTimeout as sleep } from 'node:timers/promises';
import RedisPubSub from 'sharedb-redis-pubsub';

const { REDIS_PORT: port = 6379 } = process.env;
const [here, elsewhere] = [0, 1].map(() => new RedisPubSub({ url: `redis://127.0.0.1:${port}` }));

/** As ShareDB does for each user who opens a document. */
function subscribe(channel, heard) {
  return new Promise((resolve, reject) => {
    here.subscribe(channel, (error, stream) => {
      if (error) return reject(error);
      stream.on('data', ({ v }) => heard.push(v));
      resolve(stream);
    });
  });
}

/** The only user leaves; another comes, later a third. */
async function heardAfter(pauseMs) {
  const channel = `document ${pauseMs}`;
  const [first, second, third] = [[], [], []];
  (await subscribe(channel, first)).destroy();
  if (pauseMs > 0) await sleep(pauseMs);
  await subscribe(channel, second);
  await sleep(1000);
  elsewhere.publish([channel], { v: 1 }, () => {});
  await sleep(1000);
  await subscribe(channel, third);
  elsewhere.publish([channel], { v: 2 }, () => {});
  await sleep(1000);
  return { second: second.join(), third: third.join() };
}

console.log('a second later', await heardAfter(1000));
console.log('at once', await heardAfter(0));
process.exit();
