import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { PLANNED as planned } from '../../tests/runs.ts';
import { keepRunStatus } from './run-status-keeper.ts';
import { serveStatusPage } from './status-page.ts';

test('the page, its data and its events follow the run', async () => {
  const status = keepRunStatus({ experiment: 'smoke', directory: 'out', plan: [planned] });
  const page = await serveStatusPage(status);
  const now = async () => (await fetch(`${page.address}status.json`)).json();
  expect(await now()).toMatchObject({ experiment: 'smoke', current: null, trials: [{ verdict: null }] });

  status.onTrial(planned, 0);
  status.onPhase('measure', Date.now() + 5000);
  expect(await now()).toMatchObject({ current: { phase: 'measure', planned: { users: 4 } } });
  const events = await fetch(`${page.address}events`);
  const { value } = await events.body!.getReader().read();
  expect(new TextDecoder().decode(value)).toMatch(/^data: \{.*"phase":"measure".*\}\n\n/m);

  const reasons = [{ code: 'user-lost', message: 'user 1 is lost' }];
  status.onVerdict(planned, { schemaVersion: 1, verdict: 'invalid', reasons, notes: [], converged: null });
  status.onEnd();
  expect(await now()).toMatchObject({ current: null, trials: [{ verdict: 'invalid', reasons: ['user 1 is lost'] }] });
  expect(await (await fetch(page.address)).text()).toContain('<title>Scriptorium');
  expect((await fetch(`${page.address}etc/passwd`)).status).toBe(404);
  await page.stop();
  await expect(fetch(page.address)).rejects.toThrow();
});

test('who follows hears of finished cells, whoever else begins to follow then', async () => {
  const status = keepRunStatus({ experiment: 'smoke', directory: 'out', plan: [planned] });
  const page = await serveStatusPage(status);
  const gone = new AbortController();
  const follow = () => fetch(`${page.address}events`, { signal: gone.signal });
  const reader = (await follow()).body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const hear = async (times: number) => {
    while (heard.split('event: cells').length - 1 < times) heard += (await reader.read()).value;
  };
  await hear(1);
  status.onSummary({ schemaVersion: 1, experiment: 'smoke', startedAt: '', environment: {}, cells: [] });
  await follow();
  await hear(2);
  // Pages that are closed in the last moment do not keep the run from ending.
  gone.abort();
  await page.stop();
});

test('for a page that does not read, such as of a laptop that sleeps, nothing is kept', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const told = Promise.withResolvers<void>();
  // More than the system holds.
  const status = { ...keepRunStatus({ experiment: 'x'.repeat(2 ** 25), directory: 'out', plan: [planned] }) };
  const now = vi.fn(() => {
    told.resolve();
    return status.now();
  });
  const page = await serveStatusPage({ ...status, now });
  const { host, port, pathname } = new URL(page.address);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`GET ${pathname}events HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await told.promise;
  vi.advanceTimersByTime(10_000);
  expect(now).toHaveBeenCalledTimes(1);
  socket.destroy();
  vi.useRealTimers();
  await page.stop();
});

test('the page is for who was told its address, and for no page from elsewhere', async () => {
  const page = await serveStatusPage(keepRunStatus({ experiment: 'smoke', directory: 'out', plan: [planned] }));
  const { origin, port, pathname } = new URL(page.address);
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const request = get({ host: '127.0.0.1', port, path, headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  expect(await ask(pathname)).toBe(200);
  expect(await ask(pathname, { host: `localhost:${port}`, origin })).toBe(200);
  for (const path of ['/', '/status.json', '/events', `/${'a'.repeat(32)}/status.json`]) {
    expect(await ask(path), path).toBe(403);
  }
  expect(await ask(`${pathname}status.json`, { host: `rebound.example:${port}` })).toBe(403);
  expect(await ask(`${pathname}status.json`, { origin: 'http://elsewhere.example' })).toBe(403);
  await page.stop();
});
