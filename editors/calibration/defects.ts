/** Defects ordered from the calibration's framework, and their form in the document's name, which tells page and server. */

export interface Defects {
  /** The binding is busy for so long for each of the user's own changes, ms. */
  keyMs: number;
  /** The page is busy for so long for each remote edit, ms. */
  editMs: number;
  /** The page of whoever types second loses all messages of others but so many; 0: none. */
  lostAfter: number;
  /** The page of user 0 stands still once, at this number of its own changes, ms. */
  freezeMs: number;
  freezeAt: number;
  /** Each page holds so much more memory. */
  pageMiB: number;
  /** Each message has so many bytes more. */
  bytes: number;
  /** The server passes each message on so much later, ms. */
  holdMs: number;
  /** It does so with messages that only delete, and with those that only format. */
  deletionMs: number;
  formatMs: number;
  /** It passes every so many-th message of each user on so much later, ms; the others go past it. */
  lateEvery: number;
  lateMs: number;
  /** The server's process takes so much CPU time for each message, ms. */
  serverMs: number;
  /** So does a child process of the server, ms. */
  childMs: number;
  /** The server keeps so much for each message. */
  serverKiB: number;
}

const NONE: Defects = {
  keyMs: 0,
  editMs: 0,
  lostAfter: 0,
  freezeMs: 0,
  freezeAt: 0,
  pageMiB: 0,
  bytes: 0,
  holdMs: 0,
  deletionMs: 0,
  formatMs: 0,
  lateEvery: 0,
  lateMs: 0,
  serverMs: 0,
  childMs: 0,
  serverKiB: 0,
};

/** A document's name, safe in an address, such as `calibration~keyMs=20~bytes=1000`. */
export function documentNameOf(defects: Partial<Defects>): string {
  return ['calibration', ...Object.entries(defects).map(([name, size]) => `${name}=${size}`)].join('~');
}

/** @throws Error if the name tells of a defect that there is none of: it would be measured as if it were there */
export function defectsOf(documentName: string): Defects {
  const told = documentName
    .split('~')
    .slice(1)
    .map((each) => {
      const [name = '', size = ''] = each.split('=');
      if (!(name in NONE) || !(Number(size) >= 0)) throw new Error(`the calibration knows no defect "${each}"`);
      return [name, Number(size)];
    });
  return { ...NONE, ...Object.fromEntries(told) };
}
