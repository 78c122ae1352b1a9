/** A fault that was asked for, as one trial's records tell of it. */
import type { AskedFaultKind } from '../../results/formats/fault-records.ts';
import type { RecordsDatabase } from '../views/database.ts';
import type { FaultFigureName, NeverColumn } from './fault-figures.ts';

/** A row of the view `fault_figures`. A figure is null if it never came, or is not known. */
export interface TrialFault
  extends Readonly<Record<FaultFigureName, number | null>>,
    Readonly<Record<NeverColumn, boolean>> {
  /** Its place in the experiment's list, from 0. */
  readonly fault: number;
  readonly kind: AskedFaultKind;
  /** How many it struck. */
  readonly users: number;
  /** Seconds from when typing began. */
  readonly atS: number;
  /** Null if it did not end. */
  readonly forS: number | null;
}

/** Those of the one trial that is open, in the order of the experiment's list. */
export async function readTrialFaults(records: RecordsDatabase): Promise<TrialFault[]> {
  // A row is plain data; what of it is no figure stands above.
  const rows = await records.rows('SELECT * EXCLUDE (trial) FROM fault_figures ORDER BY fault');
  return rows as unknown as TrialFault[];
}
