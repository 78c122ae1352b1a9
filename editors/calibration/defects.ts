/** Defects ordered from the calibration's framework, and their form in the document's name, which tells page and server. */

const NONE = {
  /** The binding is busy for so long for each of the user's own changes, ms. */
  keyMs: 0,
  /** The page is busy for so long for each remote edit, ms. */
  editMs: 0,
  /** The page of whoever types second loses all messages of others but so many; 0: none. */
  lostAfter: 0,
  /** The page of user 0 stands still once, at this number of its own changes, ms. */
  freezeMs: 0,
  freezeAt: 0,
  /** Each page holds so much more memory. */
  pageMiB: 0,
  /** Each message has so many bytes more. */
  bytes: 0,
  /** The server passes each message on so much later, ms. */
  holdMs: 0,
  /** It does so with messages that only delete, and with those that only format. */
  deletionMs: 0,
  formatMs: 0,
  /** It passes every so many-th message of each user on so much later, ms; the others go past it. */
  lateEvery: 0,
  lateMs: 0,
  /** The server's process takes so much CPU time for each message, ms. */
  serverMs: 0,
  /** So does a child process of the server, ms. */
  childMs: 0,
  /** The server keeps so much for each message. */
  serverKiB: 0,
};

export type Defects = Record<keyof typeof NONE, number>;

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
