/** Downloads a file within bounds. */
import { basename } from 'node:path';
import { UserError } from '../results/user-error.ts';

/** The largest public trace is under 10 MB gzipped. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Enough for the largest public trace on a slow line. */
const TIME_LIMIT_MS = 120_000;

/**
 * @returns the file's content
 * @throws UserError (3) if the address cannot be reached, answers with an error, or does not finish within the bounds
 */
export async function download(address: string): Promise<Uint8Array> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
    return await readBounded(response.body);
  } catch (cause) {
    throw new UserError(
      `Cannot download ${address}: ${reasonOf(cause)}. Check the network and try again, or download it elsewhere and ` +
        `add it with: ./scriptorium traces add ${basename(address)}`,
      { exitCode: 3, cause },
    );
  }
}

async function readBounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024 / 1024} MiB, which no trace is`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `fetch` says only "fetch failed"; what failed is its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `it took longer than ${TIME_LIMIT_MS / 1000} s`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
