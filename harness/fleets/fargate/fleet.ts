/** Users and server as tasks on AWS, and the coordinator with them. */
import type { FleetKind } from '../fleet-kind.ts';
import { addFargateCommands } from './commands.ts';

export default {
  // Only those who go to AWS wait for its many modules to load.
  open: async (options) => (await import('./runner.ts')).openFargateRunner(options),
  planLines: () => ['tasks, quotas and cost on AWS: ./scriptorium fargate plan, with the same file and flags'],
  addCommands: addFargateCommands,
} satisfies FleetKind;
