import { CRuntime } from '@collabs/collabs';
import type { Stage } from '../stage.ts';

export interface Holder<Content> {
  runtime: CRuntime;
  content: Content;
}

/**
 * @param options.register makes the collab that a replica has
 * @param options.begin    writes what both replicas begin with
 */
export function pair<Content, Replica>(options: {
  register(runtime: CRuntime): Content;
  begin(content: Content): void;
  bind(holder: Holder<Content>): Replica;
}): Stage<Replica> {
  const open = (name: string) => {
    const runtime = new CRuntime({ debugReplicaID: name });
    const content = options.register(runtime);
    const unsent: Uint8Array[] = [];
    runtime.on('Send', ({ message }) => unsent.push(message));
    return { runtime, content, unsent };
  };
  const seed = open('seed');
  seed.runtime.transact(() => options.begin(seed.content));
  const [one, other] = [open('a'), open('b')];
  for (const { runtime } of [one, other]) runtime.load(seed.runtime.save());
  return {
    replicas: [options.bind(one), options.bind(other)],
    exchange() {
      const [forOther, forOne] = [one.unsent.splice(0), other.unsent.splice(0)];
      for (const message of forOne) one.runtime.receive(message);
      for (const message of forOther) other.runtime.receive(message);
    },
  };
}
