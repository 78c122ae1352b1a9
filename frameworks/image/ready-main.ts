/** `node ready-main.ts NAME…`: a step of an image's build, which installs what these frameworks take, and tries those from outside. */

import { PROJECT_ROOT } from '../../infra/project.ts';
import { messageOf } from '../../results/user-error.ts';
import { admitAll } from '../admit.ts';
import { readyNeeds } from '../needs.ts';

const names = process.argv.slice(2);
const say = (text: string) => console.error(text);
try {
  await readyNeeds({ frameworks: await admitAll(names, { from: PROJECT_ROOT, say }), say });
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
