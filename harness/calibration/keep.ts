/** The project's own calibration: kept, and named wherever a figure of it missed a bound. */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KEPT_CALIBRATION } from '../../analysis/cell/calibration.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { Calibration } from '../../results/formats/calibration.ts';

/** Tables and charts that are made from now on mark what missed a bound; the documents are written anew. */
export async function keepCalibration(calibration: Calibration): Promise<void> {
  await mkdir(dirname(KEPT_CALIBRATION), { recursive: true });
  await writeFile(KEPT_CALIBRATION, `${JSON.stringify(calibration, null, 2)}\n`);
  execFileSync('npm', ['run', '--silent', 'docs'], { cwd: PROJECT_ROOT, stdio: 'inherit' });
}
