/** Fluid: a SharedString behind the project's own binding, over tinylicious. */
import type { FrameworkClient } from '../base/kit.ts';

export const client: FrameworkClient = {
  async join(options) {
    const { joinContainer } = await import('./replica.ts');
    return joinContainer('fluid', options);
  },
};
