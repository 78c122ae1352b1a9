/** The process of one program: `node program-main.ts <capability> <library>` prints its outcome as JSON, on a line of its own. */
import { CAPABILITIES, LIBRARIES, runProgram } from './capabilities.ts';

const [id, name] = process.argv.slice(2);
const capability = CAPABILITIES.find((each) => each.id === id);
const library = LIBRARIES.find((each) => each.name === name);
if (capability === undefined || library === undefined) throw new Error(`there is no program ${id} of ${name}`);
const outcome = await runProgram(capability, library);
process.stdout.write(`\n${JSON.stringify(outcome)}\n`, () => {
  // Some libraries keep timers.
  process.exit(0);
});
