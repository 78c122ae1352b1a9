/** A child process of the calibration's server: burns what it is told, and ends with its parent. */
import { burn } from './burn.ts';

process.on('message', (ms: number) => burn(ms));
process.on('disconnect', () => process.exit());
