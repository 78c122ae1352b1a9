/** ShareDB's database in memory, in a simulated world: at the place of one that outlives its servers, and that they share. */
import type ShareDB from 'sharedb';
import type { StandIn } from '../server.ts';

export type Database = InstanceType<typeof ShareDB.MemoryDB>;
type Call = (...args: unknown[]) => void;

/** The questions to a database; all others are made of these. */
const QUESTIONS = ['commit', 'getSnapshot', 'getOps'] as const;

/** @returns the database as one server has it */
export function databaseIn({ ask }: StandIn, openDatabase: () => Database): Database {
  const seen = openDatabase();
  for (const question of QUESTIONS) {
    const call: Call = (...args) => {
      const answered = args.pop() as Call;
      ask((held) => {
        const database = held.get('database') ?? openDatabase();
        held.set('database', database);
        return new Promise<unknown[]>((resolve) =>
          (database as Record<string, Call>)[question]!(...args, (...answer: unknown[]) => resolve(answer)),
        );
      }).then((answer) => answered(...answer));
    };
    Object.assign(seen, { [question]: call });
  }
  return seen;
}
