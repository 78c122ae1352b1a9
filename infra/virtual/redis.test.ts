import { expect, test } from 'vitest';
import { createVirtualClock } from './clock.ts';
import { type Line, VirtualNetwork } from './network.ts';
import { serveRedis } from './redis.ts';
import { TcpSocket } from './tcp-socket.ts';

/** Clients 10 ms away, which speak the protocol by hand. */
function served() {
  const clock = createVirtualClock();
  const line: Line = {
    link: { oneWayDelayMs: 10, jitterMs: 0, bandwidthBytesPerSecond: null },
    seed: 1,
    isDown: false,
  };
  const network = new VirtualNetwork(clock, () => line);
  serveRedis(network);
  const connect = async () => {
    const heard: string[] = [];
    const socket = new TcpSocket(network, 'redis');
    socket.on('data', (data: Buffer) => heard.push(...`${data}`.split('\r\n').filter((part) => part !== '')));
    socket.on('error', ({ message }) => heard.push(message));
    await clock.run(clock.nowMs() + 50);
    const ask = async (...command: string[]) => {
      const parts = command.map((part) => `$${part.length}\r\n${part}\r\n`);
      socket.write(`*${command.length}\r\n${parts.join('')}`);
      await clock.run(clock.nowMs() + 50);
      return heard.splice(0);
    };
    return { socket, heard, ask };
  };
  return { clock, line, network, connect };
}

test('who subscribed gets what is published, in order, and may do nothing else', async () => {
  const { network, connect } = served();
  const [reader, writer] = [await connect(), await connect()];
  expect(await reader.ask('SUBSCRIBE', 'news')).toEqual(['*3', '$9', 'subscribe', '$4', 'news', ':1']);
  expect(await writer.ask('PUBSUB', 'NUMSUB', 'news', 'none')).toEqual(['*4', '$4', 'news', ':1', '$4', 'none', ':0']);
  writer.socket.write('*1\r\n$4\r\nPI');
  writer.socket.write('NG\r\n');
  expect(await writer.ask('PING')).toEqual(['$4', 'PONG', '$4', 'PONG']);
  expect(await writer.ask('PUBLISH', 'news', 'one')).toEqual([':1']);
  expect(await writer.ask('PUBLISH', 'news', 'two')).toEqual([':1']);
  const both = ['0', 'three', 'none', 'news'];
  expect(await writer.ask('EVAL', 'redis.call("publish", ARGV[i], ARGV[1])', ...both)).toEqual(['$-1']);
  const heard = (text: string) => `*3 $7 message $4 news $${text.length} ${text}`;
  expect(reader.heard.splice(0).join(' ')).toBe(['one', 'two', 'three'].map(heard).join(' '));
  expect((await reader.ask('PUBLISH', 'news', 'x'))[0]).toMatch(/^-ERR Can't execute 'publish'/);
  reader.socket.end();
  await writer.ask('PING');
  expect(await writer.ask('PUBLISH', 'news', 'three')).toEqual([':0']);
  expect(await writer.ask('FLY')).toEqual(["-ERR unknown command 'fly'"]);
  network.crash({ clientLagMs: 5, drains: false });
  expect(await writer.ask('PING')).toEqual(['read ECONNRESET']);
  expect(writer.socket.destroyed).toBe(true);
});

test('a lock is one client’s until it is let go, or its time is over; a new process knows neither locks nor scripts', async () => {
  const { network, connect } = served();
  const acquire = 'redis.call("exists", key) redis.call("set", key, ARGV[2], "PX", ARGV[3])';
  const release = 'redis.call("get", key) redis.pcall("del", key)';
  const { ask } = await connect();
  const lock = (value: string, lifeMs: number) => ask('EVAL', acquire, '1', 'key', '0', value, String(lifeMs));
  expect(await lock('mine', 1000)).toEqual([':1']);
  expect(await lock('yours', 1000)).toEqual([':0']);
  expect(await ask('EVAL', release, '1', 'key', '0', 'yours')).toEqual([':0']);
  expect(await ask('EVAL', release, '1', 'key', '0', 'mine')).toEqual([':1']);
  expect(await lock('yours', 30)).toEqual([':1']);
  expect(await lock('mine', 1000)).toEqual([':1']);
  network.crash({ clientLagMs: 0, drains: false });
  serveRedis(network);
  const again = await connect();
  expect(await again.ask('EVALSHA', 'ab', '0')).toEqual(['-NOSCRIPT No matching script.']);
  expect(await again.ask('EVAL', acquire, '1', 'key', '0', 'yours', '1000')).toEqual([':1']);
});

test('a connection over a line that is down is refused, and one in a silent network never hears of anything', async () => {
  const { clock, line, network, connect } = served();
  line.isDown = true;
  const refused = await connect();
  expect(refused.heard).toEqual(['connect ECONNREFUSED']);
  line.isDown = false;
  network.isSilent = true;
  const socket = new TcpSocket(network, 'redis');
  socket.write('*1\r\n$4\r\nPING\r\n');
  await clock.run(clock.nowMs() + 100);
  expect([socket.connecting, socket.destroyed]).toEqual([true, false]);
});
