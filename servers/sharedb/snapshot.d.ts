/** A module of sharedb 7.0 that comes without types. */
declare module 'sharedb/lib/snapshot.js' {
  export default class Snapshot {
    constructor(id: string, v: number, type: string | null, data: unknown, m: unknown);
  }
}
