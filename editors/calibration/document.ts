/** The document of `yjs-relay` with defects. */
import type { RelayedDocument } from '../base/binding/relayed.ts';
import { createDocument as createSoundDocument } from '../yjs-relay/document.ts';
import type { Defects } from './defects.ts';

const MIB = 2 ** 20;

/** @returns the document, and `stop`, which frees what it held */
export function createDocument(defects: Defects): RelayedDocument & { stop(): void } {
  const sound = createSoundDocument();
  // Ones: an operating system need not hold a page of zeros.
  const ballast = new Uint8Array(defects.pageMiB * MIB).fill(1);
  let isFirst: boolean | null = null;
  let received = 0;
  let changed = 0;
  /** The first to type anything is user 0, whose marker opens a trial. */
  const knowRole = (own: boolean) => {
    isFirst ??= own;
  };
  return {
    contents: () => sound.contents(),
    change(delta) {
      knowRole(true);
      stayBusy(defects.keyMs);
      if (++changed === defects.freezeAt && isFirst) stayBusy(defects.freezeMs);
      sound.change(delta);
    },
    takeMessage() {
      const message = sound.takeMessage();
      return message === null ? null : pad(message, defects.bytes);
    },
    hasMessage: () => sound.hasMessage?.() ?? false,
    open(log) {
      if (log.length > 0) knowRole(false);
      sound.receive(log.map((message) => unpad(message, defects.bytes)));
    },
    receive(messages) {
      knowRole(false);
      stayBusy(defects.editMs * messages.length);
      const kept =
        isFirst || defects.lostAfter === 0 ? messages : messages.filter(() => ++received <= defects.lostAfter);
      return sound.receive(kept.map((message) => unpad(message, defects.bytes)));
    },
    save: () => sound.save(),
    wholeAsMessage: () => pad(sound.save(), defects.bytes),
    stop() {
      // Read here, so that it is held until now.
      ballast.fill(0);
    },
  };
}

function stayBusy(ms: number): void {
  if (ms === 0) return;
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function pad(message: Uint8Array, bytes: number): Uint8Array {
  const padded = new Uint8Array(message.length + bytes);
  padded.set(message);
  return padded;
}

function unpad(message: Uint8Array, bytes: number): Uint8Array {
  return message.subarray(0, message.length - bytes);
}
