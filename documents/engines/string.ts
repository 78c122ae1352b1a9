/** Text in a JavaScript string, cut and joined anew with each edit: what an editor without history would do. */
import type { Engine, EngineDocument } from './engine.ts';

export const engine: Engine = {
  about: { package: null, algorithm: 'a JavaScript string', licence: 'Apache-2.0', kind: 'baseline' },
  open: () => holding(''),
  load: (saved) => holding(new TextDecoder().decode(saved)),
};

function holding(first: string): EngineDocument {
  let text = first;
  const edit = (position: number, deleted: number, inserted: string) => {
    text = text.slice(0, position) + inserted + text.slice(position + deleted);
  };
  return {
    edit,
    together: (make) => make(edit),
    text: () => text,
    save: () => [{ name: 'UTF-8', history: false, bytes: new TextEncoder().encode(text) }],
  };
}
