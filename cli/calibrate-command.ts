/** `calibrate`: the harness's figures for known delays, load and losses. */
import type { Command } from 'commander';
import { calibrate, keepCalibration } from '../harness/calibration/calibrate.ts';
import { formatRows } from '../harness/calibration/rows.ts';
import { runAndWatch } from './run-command.ts';
import { outputDirectory } from './watched-run.ts';

interface CalibrateFlags {
  full?: boolean;
  keep?: boolean;
  json?: boolean;
  out?: string;
}

export function addCalibrateCommand(program: Command): void {
  program
    .command('calibrate')
    .description('inject known delays, load and losses, and print the measured figure beside each')
    .option('--full', 'three trials of each instead of one')
    .option(
      '--keep',
      'keep it as the project’s calibration: tables, charts and documents then mark the bounds that it missed',
    )
    .option('--out <folder>', 'folder for the results')
    .option('--json', 'print the calibration as JSON instead of the table')
    .action(async ({ full = false, keep = false, json = false, out }: CalibrateFlags) => {
      const calibration = await calibrate(({ experiment, directory }) => runAndWatch(experiment, directory, {}), {
        directory: await outputDirectory('calibration', out),
        full,
      });
      const { rows } = calibration;
      console.log(json ? JSON.stringify(calibration, null, 2) : formatRows(rows));
      if (keep) await keepCalibration(calibration);
      if (!rows.every(({ withinBound }) => withinBound)) process.exitCode = 1;
    });
}
