/** ShareDB with its own database in memory. */
import ShareDB from 'sharedb';
import { shareDbServer } from '../sharedb/server.ts';

export const server = shareDbServer(() => new ShareDB.MemoryDB());
