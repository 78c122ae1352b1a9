/** A child process of the calibration's server: burns CPU as ordered, and ends with its parent. */
import { burn } from './burn.ts';

process.on('message', (ms: number) => burn(ms));
process.on('disconnect', () => process.exit());
