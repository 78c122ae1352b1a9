/** Random traces for property tests: text that hurts, at random places. */
import fc from 'fast-check';
import type { ConcurrentTrace, Patch, SequentialTrace } from '../../traces/format.ts';
import { codePointsOf, textOf } from '../../traces/gap-buffer.ts';

/** Plain, combining, outside the BMP, joined, and line ends of every kind. */
const PIECES = [
  ...['a', 'b', ' ', '\t', '\n', '\r', '\r\n', '\u00e9', '\u00a9', 'e\u0301', '\u0301', '\u200d', '\ufe0f', '\u2764'],
  ...['\u{1f600}', '\u{1f469}\u200d\u{1f467}', '\u{1f469}\u200d\u2764\ufe0f\u200d\u{1f468}', '\u{1f1e9}\u{1f1ea}'],
  ...['\u{1d518}', '\u0915\u094d', '\u0937', '\u1112', '\u1161', '\ud55c', '1\ufe0f\u20e3', 'word ', 'a longer piece'],
];

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''));
/** `place` says where in the document, from its start (0) to its end (1); `follow`, that it is where the last splice ended. */
const splice = fc.record({
  follow: fc.boolean(),
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  deleted: fc.nat({ max: 3 }),
  inserted: text,
});
type Splice = typeof splice extends fc.Arbitrary<infer T> ? T : never;

export const sequentialTrace: fc.Arbitrary<SequentialTrace> = fc
  .record({ startContent: text, splices: fc.array(splice, { maxLength: 30 }) })
  .map(({ startContent, splices }) => {
    const document = codePointsOf(startContent);
    const txns = patchesOn(document, splices).map((patch) => ({ patches: [patch] }));
    return { kind: 'sequential', startContent, endContent: textOf(Uint32Array.from(document)), txns };
  });

/**
 * Two agents, who write on either side of a bar that agent 0 sets first, so that they never insert at one place.
 * Before each transaction its agent receives what the other wrote so far, or not.
 */
export const concurrentTrace: fc.Arbitrary<ConcurrentTrace> = fc
  .array(fc.record({ agent: fc.constantFrom(0, 1), receives: fc.boolean(), splice }), { maxLength: 30 })
  .map((steps) => {
    const txns: ConcurrentTrace['txns'] = [{ parents: [], agent: 0, patches: [[0, 0, '|']] }];
    const halves: [number[], number[]] = [[], []];
    /** By agent: the agent's last transaction, the last one received of the other, and how long that one's half was. */
    const last = [0, 0];
    const received = [0, 0];
    const leftLength = [0, 0];
    for (const { agent, receives, splice } of steps) {
      const other = 1 - agent;
      if (receives) received[agent] = last[other]!;
      if (receives) leftLength[agent] = halves[0].length;
      const offset = agent === 0 ? 0 : leftLength[agent]! + 1;
      const patches = patchesOn(halves[agent]!, [splice]).map(([at, ...rest]): Patch => [at + offset, ...rest]);
      const parents = [...new Set([last[agent]!, received[agent]!])];
      last[agent] = txns.push({ parents, agent, patches }) - 1;
    }
    const [left, right] = halves.map((half) => textOf(Uint32Array.from(half)));
    return { kind: 'concurrent', numAgents: 2, endContent: `${left}|${right}`, txns };
  });

/** Makes the splices in `document` and returns them as patches. */
function patchesOn(document: number[], splices: readonly Splice[]): Patch[] {
  let end = 0;
  return splices.map(({ follow, place, deleted, inserted }) => {
    const position = follow ? Math.min(end, document.length) : Math.floor(place * document.length);
    const available = Math.min(deleted, document.length - position);
    const codePoints = codePointsOf(inserted);
    document.splice(position, available, ...codePoints);
    end = position + codePoints.length;
    return [position, available, inserted];
  });
}
