/** One way to write each document down, so that documents can be compared and hashed. */
import Delta, { type AttributeMap, type Op } from 'quill-delta';
import { isBlockFormat } from './editor.ts';

/**
 * A document's or change's one canonical form: neighbours with equal attributes merged; attributes that are null,
 * undefined or false dropped, and with them attribute objects left empty; attribute names in ascending order. Equal
 * documents have equal JSON.
 *
 * It is meant for documents. In a change, `null` takes a format away, and that is dropped too.
 */
export function canonicalDelta(delta: Delta): Delta {
  const ops: Op[] = [];
  for (const { insert, attributes } of delta.ops) {
    const kept = canonicalAttributes(attributes);
    // Changes, embeds and values that are objects are rare; Delta knows how those go together, but copies all.
    if (typeof insert !== 'string' || hasObjects(kept)) return canonicalByDelta(delta);
    const last = ops.at(-1);
    if (insert === '') continue;
    if (last !== undefined && areEqual(last.attributes, kept)) last.insert = `${last.insert}${insert}`;
    else ops.push(kept === undefined ? { insert } : { insert, attributes: kept });
  }
  return new Delta(ops);
}

function canonicalByDelta(delta: Delta): Delta {
  const canonical = new Delta();
  for (const { insert, retain, delete: deleted, attributes } of delta.ops) {
    if (insert !== undefined) canonical.insert(insert, canonicalAttributes(attributes));
    else if (retain !== undefined) canonical.retain(retain, canonicalAttributes(attributes));
    else if (deleted !== undefined) canonical.delete(deleted);
  }
  // Delta writes the members of an operation in varying order, and JSON shows it.
  return new Delta(
    canonical.ops.map(({ attributes, ...rest }) => (attributes === undefined ? rest : { ...rest, attributes })),
  );
}

function hasObjects(attributes: AttributeMap | undefined): boolean {
  return attributes !== undefined && Object.values(attributes).some((value) => typeof value === 'object');
}

function areEqual(one: AttributeMap | undefined, other: AttributeMap | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/**
 * The part of a document that an editor can show, in canonical form: inline formats on text, block formats on line ends. A
 * model may hold others. If one user formats a line while another types at its end, Yjs puts the line's format on the
 * character too; Quill shows nothing of it.
 */
export function shownDelta(document: Delta): Delta {
  const shown: Op[] = [];
  for (const { insert, attributes } of document.ops) {
    if (typeof insert !== 'string') continue;
    if (attributes === undefined) {
      shown.push({ insert });
      continue;
    }
    for (const part of insert.split(/(\n)/)) {
      const formats = Object.entries(attributes).filter(([name]) => isBlockFormat(name) === (part === '\n'));
      shown.push({ insert: part, attributes: Object.fromEntries(formats) });
    }
  }
  return canonicalDelta(new Delta(shown));
}

/**
 * SHA-256 of a document's canonical JSON, or of a text, in UTF-8.
 *
 * @returns 64 hexadecimal digits
 * @throws TypeError if there is no `crypto.subtle`: in a page served neither over https nor from this machine
 */
export async function digest(value: Delta | string): Promise<string> {
  const text = typeof value === 'string' ? value : JSON.stringify(canonicalDelta(value).ops);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function canonicalAttributes(attributes: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (attributes === undefined) return undefined;
  const kept = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** The formats that are set, of those that a library names: some keep null, or nothing, for one that was taken away. */
export function formatsSet(attributes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value != null));
}

/**
 * Changes that were made one after the other, as one. In halves: composing each with all before it would go over those
 * again and again.
 */
export function composeAll(changes: readonly Delta[]): Delta {
  if (changes.length <= 1) return changes[0] ?? new Delta();
  const half = changes.length >> 1;
  return composeAll(changes.slice(0, half)).compose(composeAll(changes.slice(half)));
}
