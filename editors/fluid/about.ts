import type { FrameworkAbout } from '../base/kit.ts';

export const about: FrameworkAbout = {
  package: 'fluid-framework',
  onDemand: {
    packages: {
      'fluid-framework': '2.111.0',
      '@fluidframework/tinylicious-client': '2.111.0',
      tinylicious: '7.0.1',
    },
  },
  algorithm: 'a merge tree: the server orders operations, each client moves them to where their authors meant',
  licence: 'MIT',
  server: 'tinylicious, in memory',
  tier: 'deployed',
  withoutSendBatching: 'It gathers the changes of one turn of the event loop, and offers no longer period.',
  crowd: {
    kind: 'live',
    why: 'An operation names the number that the server gave to the last operation its author saw.',
  },
  presence: { lacking: 'Fluid’s presence is a package of its own, which the client here does not use yet.' },
  colour: { light: '#392613', dark: '#f8b572' },
};
