/**
 * Offsets of a user's three clocks: the screen's, on which its record is written; this process's, on which its timers run;
 * and the coordinator's. They are measured before typing, every few seconds while typing, and at the end.
 */
import { type ClockOffset, chainOffsets, checkedBy, invertOffset, nowMs } from '../../infra/clock.ts';
import type { ControlConnection } from '../trial/control-connection.ts';
import type { Assignment } from '../trial/protocol.ts';
import type { EditorDriver } from './editor-driver.ts';

/** Often enough that a clock's rate hardly changes between two measurements, and seldom enough to cost nothing. */
export const CLOCK_PERIOD_MS = 10_000;
/** Exchanges per measurement while typing: a few, since each is work for the page. A poor result is known by its bound. */
const ROUNDS_WHILE_TYPING = 4;

export type UserClock = ReturnType<typeof createUserClock>;

/**
 * @param options.driver        absent: the user has no screen, and the clock of its record is this process's
 * @param options.sourceErrorMs this machine's own bound on its clock's error, if it has one; it is recorded as it is
 */
export function createUserClock(options: {
  driver?: Pick<EditorDriver, 'measureClock'>;
  control: Pick<ControlConnection, 'measureClock' | 'record'>;
  sourceErrorMs?: () => Promise<number | null>;
}) {
  const { driver, control, sourceErrorMs = async () => null } = options;
  let measured: { screen: ClockOffset; coordinator: ClockOffset } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function measure(rounds?: number): Promise<void> {
    const onScreen = (await driver?.measureClock?.(rounds)) ?? { offsetMs: 0, errorMs: 0 };
    const coordinator = await control.measureClock(rounds);
    const source = await sourceErrorMs();
    // The offset to the screen stays what it was, because stamps are converted by it; how wrong it is is seen better and better.
    const screen = measured === null ? onScreen : checkedBy(measured.screen, onScreen);
    measured = { screen, coordinator };
    control.record({
      type: 'clock',
      atMs: nowMs() + screen.offsetMs,
      ...chainOffsets(invertOffset(screen), coordinator),
      ...(source === null ? {} : { sourceErrorMs: source }),
    });
  }
  const known = () => {
    if (measured === null) throw new Error('the clock is used before it was measured');
    return measured;
  };

  return {
    /** Measures thoroughly and records it. The first call must come before anything else. */
    measure: () => measure(),
    /**
     * Measures and records every `CLOCK_PERIOD_MS` until `stop`: one user of a trial after the other, since those who share a machine
     * would make each other's exchanges slow.
     *
     * @param onError called with the first error, which ends the measuring
     */
    keepMeasuring({ user, users }: Pick<Assignment, 'user' | 'users'>, onError: (error: Error) => void): void {
      const again = async () => {
        try {
          await measure(ROUNDS_WHILE_TYPING);
          if (!stopped) timer = setTimeout(again, CLOCK_PERIOD_MS);
        } catch (error) {
          if (!stopped) onError(error as Error);
        }
      };
      // Agents and readers have numbers behind those of all users.
      timer = setTimeout(again, (((user % users) + 1) / users) * CLOCK_PERIOD_MS);
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
    toScreenMs: (ownMs: number) => ownMs + known().screen.offsetMs,
    fromCoordinatorMs: (coordinatorMs: number) => coordinatorMs - known().coordinator.offsetMs,
    /** This process's clock + screenOffsetMs = the screen's. */
    get screenOffsetMs(): number {
      return known().screen.offsetMs;
    },
  };
}
