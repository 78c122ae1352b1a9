/** ShareDB's client; what is stock is the server's database. */
export { client } from '../sharedb/client.ts';
