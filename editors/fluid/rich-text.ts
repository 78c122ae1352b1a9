/** Rich text in a SharedString: formats are properties of its segments, positions are UTF-16 units, as the editor's are. */
import type { ISharedString, SequenceDeltaEvent } from 'fluid-framework/legacy';
import Delta from 'quill-delta';
import { composeAll, formatsSet } from '../base/kit.ts';

const INSERTED = 0;
const REMOVED = 1;

/** The text as an insert-only delta. */
export function contentsOf(text: ISharedString): Delta {
  const contents = new Delta();
  text.walkSegments(({ text: characters, properties }) => {
    if (characters !== undefined) contents.insert(characters, formatsSet(properties));
    return true;
  });
  return contents;
}

/** Inserted text has exactly the delta's attributes afterwards. */
export function changeBy(text: ISharedString, delta: Delta): void {
  let index = 0;
  for (const { insert, retain, delete: deleted, attributes } of delta.ops) {
    if (typeof insert === 'string') {
      text.insertText(index, insert, attributes);
      index += insert.length;
    } else if (typeof retain === 'number') {
      if (attributes !== undefined) text.annotateRange(index, index + retain, attributes);
      index += retain;
    } else if (deleted !== undefined) {
      text.removeText(index, index + deleted);
    }
  }
}

/** The change of an event. Only within the event itself, where positions are those after it. */
export function deltaOf({ ranges }: SequenceDeltaEvent): Delta {
  return composeAll(
    ranges.map(({ operation, position, segment, propertyDeltas }) => {
      const at = new Delta().retain(position);
      if (operation === INSERTED) return at.insert(segment.text ?? '', formatsSet(segment.properties));
      if (operation === REMOVED) return at.delete(segment.cachedLength);
      const changed = Object.keys(propertyDeltas).map((name) => [name, segment.properties?.[name] ?? null]);
      return at.retain(segment.cachedLength, Object.fromEntries(changed));
    }),
  );
}
