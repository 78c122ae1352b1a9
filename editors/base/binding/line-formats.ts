/**
 * A line has one format in Quill: a header is no list. In a document that merges attributes one by one, two users could
 * give a line both, and each editor would show the one that came last. So the bindings of the project keep a line's
 * format in one attribute of its "\n", on which any framework must agree.
 */
import Delta, { type AttributeMap } from 'quill-delta';
import { BLOCK_FORMATS, isBlockFormat } from '../editor.ts';

/** The attribute that holds a line's format in a document: `header:1`, `list:"bullet"`. */
export const LINE_FORMAT = 'line';

const BLOCK_NAMES = [...new Set(BLOCK_FORMATS.map(({ name }) => name))];

/** An editor's document or change as the framework's document is to hold it. */
export function packLineFormats(delta: Delta): Delta {
  return mapAttributes(delta, ({ attributes }) => {
    const blocks = Object.entries(attributes).filter(([name]) => isBlockFormat(name));
    if (blocks.length === 0) return attributes;
    const rest = Object.entries(attributes).filter(([name]) => !isBlockFormat(name));
    const set = blocks.find(([, value]) => value !== null);
    const line = set === undefined ? null : `${set[0]}:${JSON.stringify(set[1])}`;
    return { ...Object.fromEntries(rest), [LINE_FORMAT]: line };
  });
}

/** The inverse of `packLineFormats`. In a change, a line's new format takes the place of any other. */
export function unpackLineFormats(delta: Delta): Delta {
  return mapAttributes(delta, ({ attributes, isInsert }) => {
    if (!(LINE_FORMAT in attributes)) return attributes;
    const { [LINE_FORMAT]: line, ...rest } = attributes;
    const none = isInsert ? {} : Object.fromEntries(BLOCK_NAMES.map((name) => [name, null]));
    if (typeof line !== 'string') return { ...rest, ...none };
    const colon = line.indexOf(':');
    return { ...rest, ...none, [line.slice(0, colon)]: JSON.parse(line.slice(colon + 1)) };
  });
}

function mapAttributes(
  delta: Delta,
  map: (op: { attributes: AttributeMap; isInsert: boolean }) => AttributeMap,
): Delta {
  return new Delta(
    delta.ops.map((op) =>
      op.attributes === undefined
        ? op
        : { ...op, attributes: map({ attributes: op.attributes, isInsert: op.insert !== undefined }) },
    ),
  );
}
