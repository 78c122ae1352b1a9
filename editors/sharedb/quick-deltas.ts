/**
 * Quill's deltas without deep copies. The stock library clones each operation that becomes part of a delta, and its formats
 * when two deltas are composed. That is a third of the work of a process with many ShareDB users. The editors here have
 * formats of one level, and nobody changes an operation in place.
 *
 * For users who are load; for measured clients the library is as it comes.
 */
import Delta, { AttributeMap, type Op } from 'quill-delta';

/** For all of this process, from now on. */
export function quickenDeltas(): void {
  Object.assign(AttributeMap, { compose });
  Object.assign(Delta.prototype, { push });
}

/** As the stock one: what `later` sets, then what it leaves of `earlier`; null removes a format, and is kept on demand. */
function compose(earlier: AttributeMap = {}, later: AttributeMap = {}, keepNull = false): AttributeMap | undefined {
  const composed: AttributeMap = {};
  let isEmpty = true;
  for (const name in later) {
    if (later[name] === undefined || (later[name] === null && !keepNull)) continue;
    composed[name] = later[name];
    isEmpty = false;
  }
  for (const name in earlier) {
    if (earlier[name] === undefined || later[name] !== undefined) continue;
    composed[name] = earlier[name];
    isEmpty = false;
  }
  return isEmpty ? undefined : composed;
}

/** As the stock one: next to its like, an operation becomes one with it; and an insertion goes before a deletion. */
function push(this: Delta, added: Op): Delta {
  const { ops } = this;
  const goesBefore = added.insert !== undefined && ops.at(-1)?.delete !== undefined;
  const index = ops.length - (goesBefore ? 1 : 0);
  const merged = index > 0 ? merge(ops[index - 1]!, added) : null;
  if (merged !== null) ops[index - 1] = merged;
  else if (goesBefore) ops.splice(index, 0, added);
  else ops.push(added);
  return this;
}

function merge(before: Op, added: Op): Op | null {
  if (before.delete !== undefined) return added.delete === undefined ? null : { delete: before.delete + added.delete };
  const { attributes } = added;
  if (!areEqual(before.attributes, attributes)) return null;
  const formats = attributes === undefined ? {} : { attributes };
  if (typeof before.insert === 'string' && typeof added.insert === 'string') {
    return { insert: before.insert + added.insert, ...formats };
  }
  if (typeof before.retain === 'number' && typeof added.retain === 'number') {
    return { retain: before.retain + added.retain, ...formats };
  }
  return null;
}

function areEqual(one: AttributeMap | undefined, other: AttributeMap | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
