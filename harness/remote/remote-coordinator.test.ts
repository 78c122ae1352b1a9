/** The person's side, against a coordinator that says what each test has it say. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Channel } from '../../infra/channel/channel.ts';
import { type ChannelListener, listenForChannels } from '../../infra/channel/listen-for-channels.ts';
import { createToken } from '../../infra/channel/token.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { makePlan } from '../experiment/plan.ts';
import { connectRemoteCoordinator, type RemoteCoordinator } from './remote-coordinator.ts';
import { type MessageFromRemote, type MessageToRemote, messageToRemote } from './steering-protocol.ts';

const token = createToken();
const experiment = resolveExperiment({}, { frameworks: [{ name: 'yjs', about: {} }] });
const planned = makePlan(experiment)[0]!;
const verdict: Verdict = { schemaVersion: 1, verdict: 'valid', reasons: [], notes: [], converged: true };
const READY: MessageFromRemote = { type: 'ready', environment: { node: 'v24' }, fingerprint: 'abc', layer: null };

type Remote = Channel<MessageToRemote, MessageFromRemote>;
/** What the coordinator elsewhere does when it is told something. */
let obey: (message: MessageToRemote, remote: Remote) => void;
let told: string[];
let traceBytes: number;
let phases: string[];
let interrupt: AbortController;
let listener: ChannelListener;
let folder: string;

beforeEach(async () => {
  told = [];
  phases = [];
  traceBytes = 0;
  interrupt = new AbortController();
  folder = await mkdtemp(join(tmpdir(), 'remote-coordinator-'));
  obey = ({ type }, remote) => type === 'begin' && remote.send(READY);
  listener = await listenForChannels<MessageToRemote, MessageFromRemote>({
    host: '127.0.0.1',
    token,
    schema: messageToRemote,
    onChannel(remote) {
      remote.receive({
        onMessage(message) {
          told.push(message.type);
          obey(message, remote);
        },
        onBytes(bytes) {
          traceBytes += bytes.length;
        },
      });
    },
  });
});
afterEach(async () => {
  await listener.close();
  await rm(folder, { recursive: true });
});

const connect = (trace: Uint8Array | null = null): Promise<RemoteCoordinator> =>
  connectRemoteCoordinator({
    url: `ws://127.0.0.1:${listener.port}`,
    token,
    publicAddress: '192.0.2.1',
    experiment,
    trace,
    observer: { onPhase: (phase) => phases.push(phase), onRecords: () => {} },
    signal: interrupt.signal,
  });

describe('a coordinator elsewhere', () => {
  test('gets experiment and trace, and says what it is', async () => {
    const coordinator = await connect(new Uint8Array(3));
    expect(coordinator.environment).toEqual({ node: 'v24' });
    expect(coordinator.image).toEqual({ fingerprint: 'abc', layer: null });
    await expect.poll(() => traceBytes).toBe(3);
    coordinator.close();
    await expect.poll(() => told).toEqual(['begin', 'over']);
  });

  test('that cannot be readied says why', async () => {
    obey = (_message, remote) => remote.send({ type: 'failed', text: 'no such trace' });
    await expect(connect()).rejects.toMatchObject({
      exitCode: 3,
      message: 'the coordinator at 192.0.2.1 failed: no such trace',
    });
  });

  test('runs a trial, and its files are here before its verdict is told', async () => {
    const coordinator = await connect();
    obey = async (_message, remote) => {
      remote.send({ type: 'phase', phase: 'measure', endsAtMs: null });
      remote.send({ type: 'file', path: 'records/server.ndjson.gz', bytes: 3 });
      await remote.sendBytes(Buffer.from('abc'));
      remote.send({ type: 'verdict', verdict, lost: ['user'] });
    };
    expect(await coordinator.runTrial(planned, folder)).toEqual({ kind: 'judged', verdict, lost: ['user'] });
    expect(phases).toEqual(['measure']);
    expect(await readFile(join(folder, 'records/server.ndjson.gz'), 'utf8')).toBe('abc');
    // The next trial is answered for itself.
    obey = (_message, remote) => remote.send({ type: 'shortfall', text: 'one is missing' });
    expect(await coordinator.runTrial(planned, folder)).toEqual({ kind: 'shortfall', text: 'one is missing' });
  });

  test('that is lost in a trial ends the run, with why', async () => {
    const coordinator = await connect();
    obey = (_message, remote) => remote.cut();
    await expect(coordinator.runTrial(planned, folder)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/^the coordinator at 192\.0\.2\.1 is lost: the connection ended.*--resume/),
    });
  });

  test('that sends what nobody asked for is cut off', async () => {
    const coordinator = await connect();
    obey = (_message, remote) => remote.send({ type: 'file', path: '../outside', bytes: 1 });
    await expect(coordinator.runTrial(planned, folder)).rejects.toThrow(/is lost: .*is not the path of a trial's file/);
  });

  test('is told of an interruption', async () => {
    const coordinator = await connect();
    obey = ({ type }) => type === 'trial' && interrupt.abort(new Error('Ctrl-C'));
    await expect(coordinator.runTrial(planned, folder)).rejects.toThrow('Ctrl-C');
    await expect.poll(() => told).toEqual(['begin', 'trial', 'interrupt']);
  });
});
