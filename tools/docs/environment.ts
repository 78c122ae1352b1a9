/** The environment variables that anybody may set, for the page of commands; a test finds those that are missing here. */
import { markdownTable } from '../../analysis/tables/render.ts';

type Variables = Readonly<Record<string, string>>;

/** By the part that reads them. */
export const VARIABLES: Readonly<Record<string, Variables>> = {
  'every command': {
    SCRIPTORIUM_RESULTS: 'Folder of new runs, instead of `results/` in the project.',
    SCRIPTORIUM_CACHE: 'Folder of fetched traces and packages, instead of the system’s place for caches.',
    SCRIPTORIUM_CHROME: 'The Chrome or Chromium to use, a path.',
    SCRIPTORIUM_CHROME_SANDBOX: '`off`: Chrome without its sandbox, as in a container.',
    SCRIPTORIUM_SPEED_TEST: '`off`: no test of the machine’s speed around each trial.',
    NO_COLOR: 'Any value: marks without colour. `FORCE_COLOR=1` colours a pipe, too.',
    DISPLAY: 'Without it and `WAYLAND_DISPLAY`, no report opens by itself on Linux.',
    WAYLAND_DISPLAY: 'See `DISPLAY`.',
  },
  installation: {
    SCRIPTORIUM_APT: '`no`: never calls apt-get.',
    HTTPS_PROXY: 'npm’s proxy; `NO_PROXY` lists hosts without it.',
    NODE_USE_ENV_PROXY: '`1`: fetching traces uses that proxy, too.',
  },
  'the fleet `workers`, here and at each worker': {
    SCRIPTORIUM_DISPATCHER: 'Where workers report, such as `ws://192.168.0.1:7070`.',
    SCRIPTORIUM_TOKEN: 'The secret that both sides know, of at least 16 characters.',
    SCRIPTORIUM_LISTEN: 'Here only: the interface to wait on, if the address is not this machine’s own.',
    SCRIPTORIUM_TOKEN_FILE: 'At a worker: the file that holds the token.',
    SCRIPTORIUM_ROLE: 'At a worker: `server`, `users` or `coordinator`.',
    SCRIPTORIUM_GROUP: 'At a worker on Fargate: its region; it takes users of no other.',
    SCRIPTORIUM_NAME: 'At a worker: its name in messages, instead of the host’s.',
    SCRIPTORIUM_ADDRESS: 'At a worker: where others reach it, if it does not know by itself.',
    SCRIPTORIUM_DEADLINE:
      'At a worker: when to end, whatever happens, such as `2026-01-01T00:00:00Z`. Here: until when workers are waited for.',
  },
  '`docker compose -f infra/compose/compose.yaml up`': {
    SCRIPTORIUM_EXPERIMENT: 'The experiment to run, instead of the demo.',
    SCRIPTORIUM_USER_CPUS: 'Cores of each user’s container (1).',
    SCRIPTORIUM_USER_MEMORY: 'Memory of each user’s container (`2048m`).',
    SCRIPTORIUM_SERVER_CPUS: 'Cores of the server’s container (no limit).',
    SCRIPTORIUM_SERVER_MEMORY: 'Memory of the server’s container (no limit).',
  },
  'the fleet `fargate`': {
    AWS_PROFILE: 'The account, as AWS’s own tools know it; `AWS_ACCESS_KEY_ID` and its like do, too.',
    AWS_REGION: 'Where `fargate status` and `clean` begin to look; an experiment needs `fleet.region` or `--region`.',
  },
  'tests of the project': {
    SCRIPTORIUM_SEED: 'Seed of property tests (2023).',
    SCRIPTORIUM_GOLDEN: 'Folder that gets the texts behind the digests of the golden test.',
    SCRIPTORIUM_RUNS: 'Random documents that each editor is tried with (150).',
    SCRIPTORIUM_FULL: '`1`: `.ci/run` tries everything, as at night.',
  },
};

/** Variables that the project sets for processes of its own. */
export const INNER_VARIABLES = [
  ...['SCRIPTORIUM_AWAITED', 'SCRIPTORIUM_CALLED_ON', 'SCRIPTORIUM_CONTROL_URL', 'SCRIPTORIUM_FAULT_ORDERS'],
  ...['SCRIPTORIUM_FOREIGN', 'SCRIPTORIUM_SECRETS', 'SCRIPTORIUM_SERVERS'],
  ...['SCRIPTORIUM_IMAGE', 'SCRIPTORIUM_LAYER', 'SCRIPTORIUM_NETWORK', 'SCRIPTORIUM_OUTSIDE', 'SCRIPTORIUM_OWNER'],
  ...[
    'SCRIPTORIUM_NOHUP',
    'SCRIPTORIUM_PAGES',
    'SCRIPTORIUM_RUN',
    'SCRIPTORIUM_SERVER_MARK',
    'SCRIPTORIUM_SYNCED',
    'SCRIPTORIUM_TEST_AWS',
    'SCRIPTORIUM_TEST_FAILURES',
    'SCRIPTORIUM_TREES',
  ],
  ...['NODE_OPTIONS', 'PATH', 'PORT'],
];

export function environmentMarkdown(): string {
  const rows = Object.entries(VARIABLES).flatMap(([readBy, variables]) =>
    Object.entries(variables).map(([name, meaning]) => [`\`${name}\``, readBy, meaning]),
  );
  return markdownTable(['variable', 'read by', 'what it is'], rows);
}
