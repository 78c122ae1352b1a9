/** Expectations of a run after a fault: how its command ends, and how the verdict of the struck trial reads. */
import { CHECKS } from '../../analysis/verdict/checks.ts';
import type { Reason, Verdict } from '../../results/formats/verdict.ts';
import type { CommandEnd } from './command.ts';
import type { Fault } from './faults.ts';
import type { Role } from './processes.ts';

/** A trial under way in one of these has nothing yet that could stand without the rest. */
const BEFORE_THE_PROOF = ['serve', 'admit', 'ready', 'idle', 'warm-up', 'measure', 'trial'];
/** Until then a page may be a blank one, which nobody needs; and who joins a document has several. */
const WITHOUT_PAGES = ['serve', 'admit', 'trial'];

/** How reasons call what was lost. */
const NAMES: Partial<Record<Role, RegExp>> = {
  server: /server/,
  users: /user/,
  crowd: /crowd|user/,
  audience: /reader|user/,
  replayer: /replay/,
  worker: /worker|container|dispatcher|process on/,
  measurer: /process that measures/,
  writers: /write|users/,
  newcomers: /newcomer/,
  chrome: /user|Chrome|newcomer/,
  page: /user|page/,
};

/** Codes of reasons that the machine was too slow. */
const SLOWNESS: ReadonlySet<string | null> = new Set(
  CHECKS.filter(({ slowness }) => slowness === 'explains').map(({ code }) => code),
);

/** Codes of reasons that a process or a connection of the harness was lost. */
const LOST = /^(user|server)-lost$|-(cut-off|process|machine|connection)$/;

/** @returns a problem with the verdict of the trial that was struck in this phase; null: none */
export function problemOfVerdict(
  fault: Pick<Fault, 'role' | 'effect'>,
  phase: string,
  { verdict, reasons }: Pick<Verdict, 'verdict' | 'reasons'>,
): string | null {
  const seen = `it is ${verdict}: ${JSON.stringify(reasons)}`;
  if (verdict !== 'valid' && !reasons.some(({ message }) => message.trim() !== ''))
    return `no reason says why: ${seen}`;
  if (fault.effect === 'spares' && reasons.some(({ code }) => LOST.test(code))) return `nothing was lost, but ${seen}`;
  if (fault.effect === 'excuses' && verdict === 'failed') return `the framework is blamed: ${seen}`;
  if (fault.effect !== 'spoils' || !isUnproven(fault.role, phase)) return null;
  if (verdict === 'valid') return `the trial lost its ${fault.role}, but is valid`;
  // A loss that a too slow machine may explain is not told then.
  if (reasons.some(({ code }) => SLOWNESS.has(code))) return null;
  return names(fault.role, reasons) ? null : `no reason names the ${fault.role}: ${seen}`;
}

function isUnproven(role: Role, phase: string): boolean {
  if (role === 'replayer') return true;
  return BEFORE_THE_PROOF.includes(phase) && !(role === 'page' && WITHOUT_PAGES.includes(phase));
}

function names(role: Role, reasons: readonly Reason[]): boolean {
  const pattern = NAMES[role];
  return pattern === undefined || reasons.some(({ message }) => pattern.test(message));
}

export interface CommandAfterFaults {
  said: string;
  end: CommandEnd;
  /** All that were done to it. */
  faults: readonly Pick<Fault, 'ends' | 'says'>[];
  /** True if all planned trials have a verdict. */
  isComplete: boolean;
  areAllValid: boolean;
}

/** The exit code and the last words of a command, by its kind of end. */
const ENDS = {
  interrupted: { code: 130, says: /^(Interrupted\.|Ended at once)/m },
  unable: { code: 3, says: /^scriptorium: \S/m },
} as const;

const STACK = /^ {4}at .*:\d+:\d+\)?$/m;

/** @returns problems with a command's end */
export function problemsOfEnd(command: CommandAfterFaults): string[] {
  const { said, end, faults } = command;
  const unsaid = faults.flatMap(({ says }) => (isInOrder(end.code) && says?.test(said) === false ? [says] : []));
  const at = STACK.exec(said)?.index;
  const stack = at === undefined ? [] : [`it printed a stack: ${said.slice(Math.max(0, at - 600), at + 300)}`];
  const problems = [...stack, ...unsaid.map(({ source }) => `it did not say "${source}"`)];
  return isAsItMust(command) ? problems : [...problems, `it ended with ${end.signal ?? end.code}: ${said.slice(-600)}`];
}

export function isInOrder(code: number | null): boolean {
  return code === 0 || code === 1;
}

/** The fault may have come too late to change anything. */
function isAsItMust({ said, end, faults, isComplete, areAllValid }: CommandAfterFaults): boolean {
  const { code, signal } = end;
  const can = (ends: Fault['ends']) => faults.some((fault) => fault.ends === ends);
  if (isInOrder(code)) return isComplete && code === (areAllValid ? 0 : 1);
  if (signal === 'SIGKILL') return can('killed');
  // Before its first word it hears no signal yet, and ends by it.
  if (signal !== null) return can('interrupted') && said === '';
  return (['interrupted', 'unable'] as const).some(
    (ends) => can(ends) && code === ENDS[ends].code && ENDS[ends].says.test(said),
  );
}
