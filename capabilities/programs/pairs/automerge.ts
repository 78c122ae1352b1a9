import * as Automerge from '@automerge/automerge';
import type { Stage } from '../stage.ts';

export interface Holder<Content> {
  /** A value: each change makes another. */
  doc: Automerge.Doc<Content>;
  change(make: (draft: Content) => void): void;
}

/** @param content first content of both replicas */
export function pair<Content extends Record<string, unknown>, Replica>(
  content: Content,
  bind: (holder: Holder<Content>) => Replica,
): Stage<Replica> {
  const seed = Automerge.save(Automerge.from<Content>(content, { actor: 'ff' }));
  const [one, other] = ['01', '02'].map((actor) => {
    const holder: Holder<Content> = {
      doc: Automerge.load<Content>(seed, { actor }),
      change(make) {
        holder.doc = Automerge.change(holder.doc, make);
      },
    };
    return holder;
  }) as [Holder<Content>, Holder<Content>];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      one.doc = Automerge.merge(one.doc, other.doc);
      other.doc = Automerge.merge(other.doc, one.doc);
    },
  };
}
