/**
 * The coordinator's side of a run elsewhere: it holds the dispatcher of the users' and the server's containers, takes the
 * experiment and its trials from the person's machine over one channel, runs each as any fleet's, and sends its
 * files back. It ends when that machine says so, is silent, or loses the connection: nobody would take the results.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { SILENCE_MS } from '../../infra/channel/channel.ts';
import { type ChannelListener, listenForChannels } from '../../infra/channel/listen-for-channels.ts';
import { makeTemporaryFolder } from '../../infra/process/temporary-folder.ts';
import { startDispatcher } from '../../infra/workers/dispatcher.ts';
import { GO_LIMIT_MS } from '../../infra/workers/workers-fleet.ts';
import { SteeredRun } from './steered-run.ts';
import {
  LARGEST_MESSAGE_BYTES,
  type MessageFromRemote,
  type MessageToRemote,
  messageToRemote,
} from './steering-protocol.ts';

export interface SessionSettings {
  /** What the person's machine must show. */
  steeringToken: string;
  /** What workers must show. */
  token: string;
  /** Steering, dispatcher, coordinator and server listen on it and the next three. */
  firstPort: number;
  deadlineMs: number;
  silenceMs?: number;
}

/** Why a session ended. */
export type SessionEnd = 'over' | 'alone' | 'deadline' | 'interrupted';

/**
 * Listens for the person's machine and serves it until one of the ends.
 *
 * @throws the system's error where a port is taken
 */
export async function serveRemoteTrials(settings: SessionSettings, interrupted: AbortSignal): Promise<SessionEnd> {
  const { firstPort, token, steeringToken, deadlineMs, silenceMs = SILENCE_MS } = settings;
  const host = '0.0.0.0';
  const ended = new AbortController();
  const folder = await makeTemporaryFolder('run');
  const lost = new Set<string>();
  const onLost = ({ name }: { name: string }) => void lost.add(name);
  const events = { onLeaving: onLost, onLeft: onLost };
  const dispatcher = await startDispatcher({ host, port: firstPort + 1, token, events });
  let run: SteeredRun | null = null as SteeredRun | null;
  let listener: ChannelListener | null = null;
  const onInterrupted = () => ended.abort('interrupted');
  interrupted.addEventListener('abort', onInterrupted);
  const deadline = setTimeout(() => ended.abort('deadline'), Math.max(0, deadlineMs - Date.now()));
  const nobodyCame = setTimeout(() => run === null && ended.abort('alone'), silenceMs);
  try {
    listener = await listenForChannels<MessageToRemote, MessageFromRemote>({
      host,
      port: firstPort,
      token: steeringToken,
      schema: messageToRemote,
      silenceMs,
      maxMessageBytes: LARGEST_MESSAGE_BYTES,
      // One machine steers, and one only.
      most: 1,
      onChannel(channel) {
        run = new SteeredRun({ channel, dispatcher, folder, firstPort, lost }, () => ended.abort('over'));
        channel.ended.addEventListener('abort', () => ended.abort('alone'));
      },
    });
    if (!ended.signal.aborted) await once(ended.signal, 'abort');
    await run?.stop();
    return ended.signal.reason;
  } finally {
    clearTimeout(deadline);
    clearTimeout(nobodyCame);
    interrupted.removeEventListener('abort', onInterrupted);
    await dispatcher.dismiss(GO_LIMIT_MS);
    await dispatcher.close();
    await listener?.close();
    await rm(folder, { recursive: true, force: true });
  }
}
