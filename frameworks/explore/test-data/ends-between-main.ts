/** For tests: the process that plays worlds, which ends once it has answered a batch. */
import { createVirtualClock, replaceGlobals } from '../../../infra/virtual/clock.ts';

replaceGlobals(createVirtualClock(), 0);
const { answerWorlds } = await import('../world-process.ts');
const { honest } = await import('../../../tests/broken-frameworks/broken-framework.ts');

const send = process.send!.bind(process) as (message: object, done?: () => void) => boolean;
process.send = (message: { value?: object | null }) =>
  send(message, message.value && 'explained' in message.value ? () => process.exit(3) : undefined);
answerWorlds(async () => honest);
