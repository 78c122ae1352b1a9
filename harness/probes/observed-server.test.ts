import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { observeServer } from '../server/measured-server.ts';
import { costReader, seriesOf } from './observed-server.ts';

const nothing = { pid: null, container: null, metrics: null };

test('a series is read whatever its labels, and nothing else is', () => {
  const text =
    '# HELP x y\nprocess_cpu_seconds_total{core="0"} 1.5\nprocess_cpu_seconds_total{core="1",of="/{id}"} 2\nprocess_cpu 9\n';
  expect(seriesOf(text, 'process_cpu_seconds_total')).toBe(3.5);
  expect(seriesOf(text, 'process_resident_memory_bytes')).toBeNull();
});

test('what a server tells is its CPU and memory, and no traffic', async () => {
  const answers = ['process_cpu_seconds_total 2\nprocess_resident_memory_bytes 1024\n', '<html>no metrics</html>'];
  const server = createServer((request, response) => response.end(answers[request.url === '/metrics' ? 0 : 1]));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const seen = observeServer({ ...nothing, metrics: `http://127.0.0.1:${port}/metrics` });
  await seen.listen({ address: '', port: 0, token: '' });
  expect(await seen.sample()).toMatchObject({ cpuMs: 2000, memoryBytes: 1024, traffic: null });
  await expect(costReader({ ...nothing, metrics: `http://127.0.0.1:${port}/` })).rejects.toThrow(
    'no Prometheus text with process_cpu_seconds_total; it begins "<html>no metrics</html>"',
  );
  server.close();
});

test.runIf(process.platform === 'linux')(
  'a process of this machine is seen, and one that is not there is refused',
  async () => {
    const seen = await (await costReader({ ...nothing, pid: process.pid }))();
    expect(seen.cpuMs).toBeGreaterThan(0);
    expect(seen.memoryBytes).toBeGreaterThan(1e6);
    await expect(costReader({ ...nothing, pid: 2 ** 30 })).rejects.toThrow('is not on this machine');
  },
);
