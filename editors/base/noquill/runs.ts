/**
 * A document as a balanced tree of runs: stretches of text with the same formats, in order. Every operation costs
 * O(log n) in the number of runs and leaves the tree it was given as it was, so an older state stays readable for free.
 *
 * The tree is an AVL tree that tolerates a difference of two levels, put together and taken apart by `join` as in
 * Adams 1993, "Efficient sets: a balancing act", and OCaml's `Set`.
 */
import type { Attributes } from './formats.ts';

export interface Run {
  readonly text: string;
  readonly attributes: Attributes;
  readonly newlines: number;
}

interface Node {
  readonly left: Runs;
  readonly run: Run;
  readonly right: Runs;
  readonly height: number;
  /** Sums over the whole subtree. */
  readonly length: number;
  readonly newlines: number;
}

/** A document, or a part of one; null is empty. */
export type Runs = Node | null;

/** Longer texts are cut, so that an edit copies few characters; shorter cuts would only make the tree deeper. */
const MAX_RUN_LENGTH = 512;

export function runsOf(text: string, attributes: Attributes): Runs {
  let runs: Runs = null;
  for (let from = 0; from < text.length; from += MAX_RUN_LENGTH) {
    const piece = text.slice(from, from + MAX_RUN_LENGTH);
    runs = join(runs, { text: piece, attributes, newlines: countNewlines(piece) }, null);
  }
  return runs;
}

/** In UTF-16 units. */
export function lengthOf(runs: Runs): number {
  return runs === null ? 0 : runs.length;
}

/** The runs before `index`, and those from there on. */
export function split(runs: Runs, index: number): [Runs, Runs] {
  if (runs === null) return [null, null];
  if (index <= 0) return [null, runs];
  if (index >= runs.length) return [runs, null];
  const { left, run, right } = runs;
  const start = lengthOf(left);
  const end = start + run.text.length;
  if (index < start) {
    const [before, after] = split(left, index);
    return [before, join(after, run, right)];
  }
  if (index > end) {
    const [before, after] = split(right, index - end);
    return [join(left, run, before), after];
  }
  if (index === start) return [left, join(null, run, right)];
  if (index === end) return [join(left, run, null), right];
  const [head, tail] = splitRun(run, index - start);
  return [join(left, head, null), join(null, tail, right)];
}

/** `a` and then `b`. Where they meet, runs with equal formats become one. */
export function concat(a: Runs, b: Runs): Runs {
  if (a === null) return b;
  if (b === null) return a;
  const [rest, last] = popLast(a);
  const first = firstRun(b);
  if (last.attributes !== first.attributes || last.text.length + first.text.length > MAX_RUN_LENGTH) {
    return join(rest, last, b);
  }
  const merged = {
    text: last.text + first.text,
    attributes: last.attributes,
    newlines: last.newlines + first.newlines,
  };
  return join(rest, merged, split(b, first.text.length)[1]);
}

/** `text` put in before `index`. Where it joins a run, as most typing does, nothing but the way to that run is copied. */
export function insert(runs: Runs, index: number, text: string, attributes: Attributes): Runs {
  if (text.length > MAX_RUN_LENGTH) {
    const [before, after] = split(runs, index);
    return concat(concat(before, runsOf(text, attributes)), after);
  }
  return text === '' ? runs : insertRun(runs, index, { text, attributes, newlines: countNewlines(text) });
}

/** Without the text from `from` to `to`; costs the way to it if it lies within one run. */
export function remove(runs: Runs, from: number, to: number): Runs {
  if (runs === null || from >= to || to <= 0 || from >= runs.length) return runs;
  const { left, run, right } = runs;
  const start = lengthOf(left);
  const end = start + run.text.length;
  if (to <= start) return join(remove(left, from, to), run, right);
  if (from >= end) return join(left, run, remove(right, from - end, to - end));
  const isWithin = from >= start && to <= end && to - from < run.text.length;
  if (!isWithin) return concat(split(runs, from)[0], split(runs, to)[1]);
  const newlines = run.newlines - (run.newlines && countNewlines(run.text.slice(from - start, to - start)));
  const text = run.text.slice(0, from - start) + run.text.slice(to - start);
  return create(left, { text, attributes: run.attributes, newlines }, right);
}

/** With what `change` makes of each stretch of equal formats in [from, to) in its place. */
export function changeRuns(
  runs: Runs,
  from: number,
  to: number,
  change: (text: string, attributes: Attributes) => Runs,
): Runs {
  let [changed, rest] = split(runs, from);
  const [range, after] = split(rest, to - from);
  visitRuns(range, 0, lengthOf(range), (text, attributes) => {
    changed = concat(changed, change(text, attributes));
  });
  return concat(changed, after);
}

/** The formats of the character at `index`, and the character itself (one UTF-16 unit); null outside of the document. */
export function characterAt(runs: Runs, index: number): { character: string; attributes: Attributes } | null {
  let node = runs;
  let offset = index;
  while (node !== null) {
    const start = lengthOf(node.left);
    if (offset < start) {
      node = node.left;
      continue;
    }
    offset -= start;
    const { text, attributes } = node.run;
    if (offset < text.length) return offset < 0 ? null : { character: text.charAt(offset), attributes };
    offset -= text.length;
    node = node.right;
  }
  return null;
}

/** Visits what lies in [from, to), run by run, in order; the first and the last run may be cut. */
export function visitRuns(
  runs: Runs,
  from: number,
  to: number,
  visit: (text: string, attributes: Attributes) => void,
): void {
  if (runs === null || from >= to || to <= 0 || from >= runs.length) return;
  const start = lengthOf(runs.left);
  const end = start + runs.run.text.length;
  visitRuns(runs.left, from, Math.min(to, start), visit);
  if (from < end && to > start) {
    visit(runs.run.text.slice(Math.max(from - start, 0), to - start), runs.run.attributes);
  }
  visitRuns(runs.right, from - end, to - end, visit);
}

/** How many "\n" stand before `index`. */
export function newlinesBefore(runs: Runs, index: number): number {
  if (runs === null || index <= 0) return 0;
  if (index >= runs.length) return runs.newlines;
  const start = lengthOf(runs.left);
  if (index <= start) return newlinesBefore(runs.left, index);
  const inside = newlinesOf(runs.left) + countNewlines(runs.run.text.slice(0, index - start));
  return inside + newlinesBefore(runs.right, index - start - runs.run.text.length);
}

/** The index of the `nth` "\n", counted from 0; -1 if there are fewer. */
export function newlineIndex(runs: Runs, nth: number): number {
  if (runs === null || nth < 0 || nth >= runs.newlines) return -1;
  const before = newlinesOf(runs.left);
  if (nth < before) return newlineIndex(runs.left, nth);
  const start = lengthOf(runs.left);
  const { text, newlines } = runs.run;
  if (nth >= before + newlines) return start + text.length + newlineIndex(runs.right, nth - before - newlines);
  let at = text.indexOf('\n');
  for (let left = nth - before; left > 0; left--) at = text.indexOf('\n', at + 1);
  return start + at;
}

function newlinesOf(runs: Runs): number {
  return runs === null ? 0 : runs.newlines;
}

function heightOf(runs: Runs): number {
  return runs === null ? 0 : runs.height;
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function insertRun(runs: Runs, index: number, added: Run): Node {
  if (runs === null) return create(null, added, null);
  const { left, run, right } = runs;
  const start = lengthOf(left);
  const end = start + run.text.length;
  if (index < start) return balance(insertRun(left, index, added), run, right);
  if (index > end) return balance(left, run, insertRun(right, index - end, added));
  const { text, attributes } = run;
  if (attributes === added.attributes && text.length + added.text.length <= MAX_RUN_LENGTH) {
    const merged = text.slice(0, index - start) + added.text + text.slice(index - start);
    return create(left, { text: merged, attributes, newlines: run.newlines + added.newlines }, right);
  }
  // The run beyond the edge may take it.
  if (index <= start) return balance(insertRun(left, start, added), run, right);
  if (index === end) return balance(left, run, insertRun(right, 0, added));
  const [head, tail] = splitRun(run, index - start);
  return balance(insertRun(left, start, head), added, insertRun(right, 0, tail));
}

function splitRun(run: Run, offset: number): [Run, Run] {
  const { attributes } = run;
  const head = run.text.slice(0, offset);
  const newlines = run.newlines === 0 ? 0 : countNewlines(head);
  return [
    { text: head, attributes, newlines },
    { text: run.text.slice(offset), attributes, newlines: run.newlines - newlines },
  ];
}

function create(left: Runs, run: Run, right: Runs): Node {
  return {
    left,
    run,
    right,
    height: Math.max(heightOf(left), heightOf(right)) + 1,
    length: lengthOf(left) + run.text.length + lengthOf(right),
    newlines: newlinesOf(left) + run.newlines + newlinesOf(right),
  };
}

/** As `create`, for subtrees that differ by up to three levels. */
function balance(left: Runs, run: Run, right: Runs): Node {
  if (left !== null && left.height > heightOf(right) + 2) {
    if (heightOf(left.left) >= heightOf(left.right)) return create(left.left, left.run, create(left.right, run, right));
    const middle = left.right!;
    return create(create(left.left, left.run, middle.left), middle.run, create(middle.right, run, right));
  }
  if (right !== null && right.height > heightOf(left) + 2) {
    if (heightOf(right.right) >= heightOf(right.left)) {
      return create(create(left, run, right.left), right.run, right.right);
    }
    const middle = right.left!;
    return create(create(left, run, middle.left), middle.run, create(middle.right, right.run, right.right));
  }
  return create(left, run, right);
}

/** As `create`, for any subtrees; costs the difference of their heights. */
function join(left: Runs, run: Run, right: Runs): Node {
  if (left !== null && left.height > heightOf(right) + 2) {
    return balance(left.left, left.run, join(left.right, run, right));
  }
  if (right !== null && right.height > heightOf(left) + 2) {
    return balance(join(left, run, right.left), right.run, right.right);
  }
  return create(left, run, right);
}

function firstRun(node: Node): Run {
  let first = node;
  while (first.left !== null) first = first.left;
  return first.run;
}

function popLast({ left, run, right }: Node): [Runs, Run] {
  if (right === null) return [left, run];
  const [rest, last] = popLast(right);
  return [balance(left, run, rest), last];
}
