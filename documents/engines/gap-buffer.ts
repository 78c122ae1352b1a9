/** Text in an array with its free room at the place of the last edit: about as quick as text without history can be edited. */
import { GapBuffer, textOf, unitsOf } from '../../traces/gap-buffer.ts';
import type { Engine } from './engine.ts';

export const engine: Engine = {
  about: { package: null, algorithm: 'a gap buffer', licence: 'Apache-2.0', kind: 'baseline' },
  open() {
    const units = new GapBuffer();
    const edit = (position: number, deleted: number, inserted: string) =>
      units.splice(position, deleted, unitsOf(inserted));
    return {
      edit,
      together: (make) => make(edit),
      text: () => textOf(units.slice()),
    };
  },
};
