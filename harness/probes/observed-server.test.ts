import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { observeServer } from '../server/measured-server.ts';
import { costReader } from './observed-server.ts';

const nothing = { pid: null, container: null, metrics: null, series: [] };

const LAG = ['min', 'mean', 'p50', 'p90', 'p99', 'max']
  .map((part) => `nodejs_eventloop_lag_${part}_seconds 0.01\n`)
  .join('');
const PAGE = `process_cpu_seconds_total 2
process_resident_memory_bytes 1024
# TYPE documents gauge
documents{of="one"} 3
documents{of="other"} 4
# TYPE updates_total counter
updates_total 7
${LAG}`;

describe('of what a server tells', () => {
  const server = createServer((request, response) => {
    const pages: Record<string, string> = {
      '/metrics': PAGE,
      '/bare': 'documents 1\n',
      '/': '<html>no metrics</html>',
      '/wrong': 'process_cpu_seconds_total -1\nprocess_resident_memory_bytes 1.5\n',
    };
    // A page that is not there begins, and never ends; one that pauses does, once it has been asked before.
    if (request.url === '/pausing') paused === null ? response.end(PAGE) : paused.push(() => response.end(PAGE));
    else if (request.url === '/bomb') response.setHeader('content-encoding', 'gzip').end(bomb);
    else if (request.url! in pages) response.end(pages[request.url!]);
    else response.write('documents ');
  });
  let paused: (() => void)[] | null = null;
  /** A few kilobytes on the way. */
  const bomb = gzipSync(Buffer.alloc(2 ** 26, '#'));
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  test('CPU, memory, event-loop delay and the series that were asked for are known, and no traffic', async () => {
    const seen = observeServer({ ...nothing, metrics: `${url}/metrics`, series: ['documents', 'updates_total'] });
    await seen.listen({ address: '', port: 0, token: '' });
    // Longer than the page's delays, which cannot be of less.
    await sleep(20);
    const sample = await seen.sample();
    expect(sample).toMatchObject({ cpuMs: 2000, memoryBytes: 1024, traffic: null });
    expect(sample.series).toEqual([
      { name: 'documents', kind: 'gauge', value: 7 },
      { name: 'updates_total', kind: 'counter', value: 7 },
    ]);
    expect(sample.delays).not.toBeNull();
  });

  test.runIf(process.platform === 'linux')('CPU and memory come from its process, if that is known too', async () => {
    const seen = await costReader({ ...nothing, pid: process.pid, metrics: `${url}/bare`, series: ['documents'] });
    const { cpuMs, memoryBytes, delays, series } = await seen();
    expect(cpuMs).toBeGreaterThan(0);
    expect(memoryBytes).toBeGreaterThan(1e6);
    expect([delays, series.length]).toEqual([null, 1]);
  });

  test.each([
    ['/', [], 'no Prometheus text with process_cpu_seconds_total; it begins "<html>no metrics</html>"'],
    ['/', ['documents'], 'no Prometheus text; it begins "<html>no metrics</html>"'],
    ['/bare', [], 'no Prometheus text with process_cpu_seconds_total'],
    ['/bare', ['document'], 'it tells no series "document"; write one of documents'],
    ['/metrics', ['update'], 'it tells no series "update"; write one of updates_total, documents'],
  ])('%s with the series %j is refused: %s', async (path, series, message) => {
    await expect(costReader({ ...nothing, metrics: url + path, series })).rejects.toThrow(message);
  });

  test('a page without an end is refused, however small it was packed', async () => {
    const message = `${url}/bomb: no metrics came (more than 16 MiB came)`;
    await expect(costReader({ ...nothing, metrics: `${url}/bomb` })).rejects.toMatchObject({ exitCode: 2, message });
  });

  test('what no record can hold is not known', async () => {
    const seen = await costReader({ ...nothing, metrics: `${url}/wrong` });
    expect(await seen()).toMatchObject({ cpuMs: null, memoryBytes: 2 });
  });

  test('a page that stalls in the middle is refused', async () => {
    const soon = AbortSignal.timeout(300);
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(soon);
    const message = `${url}/stalled: no metrics came (The operation was aborted due to timeout)`;
    await expect(costReader({ ...nothing, metrics: `${url}/stalled` })).rejects.toMatchObject({ exitCode: 2, message });
    limit.mockRestore();
  });

  test('a server that stands still is asked once, and its page counts from when it came', async () => {
    const seen = await costReader({ ...nothing, metrics: `${url}/pausing`, series: ['documents'] });
    paused = [];
    const first = seen();
    const meanwhile = await seen();
    expect(meanwhile).toMatchObject({ cpuMs: null, delays: null, series: [] });
    await vi.waitUntil(() => paused!.length > 0);
    const [answer, ...others] = paused;
    expect(others).toEqual([]);
    answer!();
    const told = await first;
    expect(told).toMatchObject({ cpuMs: 2000, series: [{ value: 7 }] });
    expect(told.toldAtMs).toBeGreaterThanOrEqual(meanwhile.atMs);
  });
});

test.runIf(process.platform === 'linux')(
  'a process of this machine is seen, and one that is not there is refused',
  async () => {
    const read = await costReader({ ...nothing, pid: process.pid });
    const [first, second] = [await read(), await read()];
    expect(first.cpuMs).toBeGreaterThan(0);
    expect(first.memoryBytes).toBeGreaterThan(1e6);
    // To sum it up holds the server up, so that is done as seldom as for the trial's own.
    expect([second.cpuMs !== null, second.memoryBytes]).toEqual([true, null]);
    await expect(costReader({ ...nothing, pid: 2 ** 30 })).rejects.toThrow('is not on this machine');
  },
);

describe.runIf(process.platform === 'linux')('once its process has ended', () => {
  const folder = folderOfEachTest();
  const servers: ReturnType<typeof spawn>[] = [];
  const startServer = async () => {
    const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
    servers.push(server);
    await once(server, 'spawn');
    return server;
  };
  const end = async (server: ReturnType<typeof spawn>) => {
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  /** A program that stands in for Docker's says so. */
  const containerHas = async (pid: number) => {
    await folder.put('docker', `#!/bin/sh\necho ${pid}\n`);
    await chmod(folder.in('docker'), 0o755);
  };
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const server of servers.splice(0))
      if (server.exitCode === null && server.signalCode === null) await end(server);
  });

  const gone = { cpuMs: null, waitedMs: null, memoryBytes: null };

  test('a server has used nothing that is known', async () => {
    const server = await startServer();
    const read = await costReader({ ...nothing, pid: server.pid! });
    await expect.poll(async () => (await read()).cpuMs).toBeGreaterThan(0);
    await end(server);
    for (let reading = 0; reading < 6; reading++) expect(await read()).toMatchObject(gone);
  });

  test('a container is not known either, until it is there again, and its sum goes on', async () => {
    vi.stubEnv('PATH', `${folder.path}:/bin:/usr/bin`);
    const first = await startServer();
    await containerHas(first.pid!);
    const read = await costReader({ ...nothing, container: 'server' });
    await expect.poll(async () => (await read()).cpuMs).toBeGreaterThan(0);
    const { cpuMs: before } = await read();
    await end(first);
    await containerHas(0);
    expect(await read()).toMatchObject(gone);
    const second = await startServer();
    await containerHas(second.pid!);
    await expect.poll(async () => (await read()).cpuMs).toBeGreaterThan(before!);
  });
});
