import { Model } from 'json-joy/lib/json-crdt/index.js';
import type { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import type { Stage } from '../stage.ts';

/** The replicas' identities: numbers below are reserved, and each replica takes the next. */
export const FIRST_SESSION = 65_536;

export interface Holder {
  model: Model;
  /** Patches that others still need; json-joy merges patches. */
  unsent: Patch[];
  /** The first content of both replicas. */
  seed: Uint8Array;
}

/** A model that holds these data. */
export function modelOf(data: object): Model {
  const model = Model.create(undefined, FIRST_SESSION);
  model.api.set(data);
  model.api.flush();
  return model;
}

/** @param load as `Model.load`; a model with extensions has its own */
export function pair<Replica>(
  begin: Pick<Model, 'toBinary'>,
  bind: (holder: Holder) => Replica,
  load: (seed: Uint8Array, session: number) => Model = (seed, session) => Model.load(seed, session),
): Stage<Replica> {
  const seed = begin.toBinary();
  const [one, other] = [1, 2].map((replica) => ({
    model: load(seed, FIRST_SESSION + replica),
    unsent: [],
    seed,
  })) as unknown as [Holder, Holder];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      const [forOther, forOne] = [one.unsent.splice(0), other.unsent.splice(0)];
      one.model.applyBatch(forOne);
      other.model.applyBatch(forOther);
    },
  };
}
