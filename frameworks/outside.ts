/**
 * Frameworks from outside the project: a folder that holds `about`, `client` and `server`, in TypeScript or JavaScript, with
 * packages of its own around it.
 */
import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { FrameworkAbout } from '../editors/base/framework.ts';
import { STORE_NAMES } from '../editors/base/stores.ts';
import { messageOf, UserError } from '../results/user-error.ts';
import { type Framework, MISSING } from './framework.ts';
import { manifestFor, versionFor } from './packages/installed.ts';
import { hookPublicModules } from './public-modules.ts';

const HALVES = ['about', 'client', 'server'] as const;
const ENDINGS = ['ts', 'js', 'mjs'];
/** It is a part of the names of files and addresses. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** A recording of what its users send is kept, and nothing here tells which sources it was made with. */
const LIVE_CROWD = {
  kind: 'live',
  why: 'It is from outside the project, so nothing tells whether a recording of its users is still right.',
} as const;

const text = z.string({ error: 'a text' });
const hex = z.string().regex(/^#[0-9a-f]{6}$/i, { error: 'a colour such as "#0072b2"' });
/** A key that is spelt wrong would be left out in silence. */
const spelt = <Shape extends z.ZodRawShape>(shape: Shape, what: string) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' ? `without ${quoted(keys)}; its keys are ${quoted(Object.keys(shape))}` : what,
  });
const quoted = (keys: unknown) => (keys as string[]).map((key) => `"${key}"`).join(', ');
const seen = ({ input }: { input?: unknown }) => `, and is ${JSON.stringify(input)}`;
const manifestSchema = z.looseObject(
  { name: z.string({ error: (issue) => `its name must be a text${seen(issue)}` }).optional() },
  { error: (issue) => `it must hold an object${seen(issue)}` },
);
const yes = z.boolean({ error: 'true or false' });
const onlyTrue = z.literal(true, { error: 'true, or absent' });
const texts = z.array(text, { error: 'a list of texts' });
const worlds = spelt(
  {
    invariants: z.array(text, { error: 'a list of invariants' }),
    after: z.array(text, { error: 'a list of faults and edits' }),
    hasStore: yes.optional(),
    areSeveral: yes.optional(),
    waitsForStore: onlyTrue.optional(),
    says: text.optional(),
  },
  'an object: { invariants, after }',
);
const knownIssue = spelt(
  {
    summary: text,
    properties: z.array(text, { error: 'a list of properties' }),
    says: text.optional(),
    worlds: worlds.optional(),
  },
  'an object: { summary, properties }',
);
const storeMeans = spelt(
  {
    by: text,
    writes: text,
    packages: texts.optional(),
    inWorlds: texts.optional(),
    writtenMs: z.number({ error: 'a number of ms' }).optional(),
  },
  'an object: { by, writes }',
);
const keptStore = z.enum(STORE_NAMES).exclude(['memory']);
const aboutSchema = spelt(
  {
    package: z.string({ error: 'the name of an npm package, or null' }).nullable(),
    besides: texts.optional(),
    algorithm: text,
    licence: text,
    server: text,
    tier: z.enum(['library', 'deployed'], { error: '"library" or "deployed"' }),
    withoutSendBatching: text.optional(),
    colour: z.object({ light: hex, dark: hex }, { error: 'two colours: { light, dark }' }),
    lacksModes: z.record(z.string(), text, { error: 'reasons by the names of modes' }).optional(),
    oneWriter: yes.optional(),
    baseline: yes.optional(),
    presence: z
      .union([z.strictObject({ by: text }), z.strictObject({ lacking: text })], {
        error: '{ by: a text } or { lacking: a text }',
      })
      .optional(),
    workers: text.optional(),
    stores: z
      .partialRecord(keptStore, storeMeans, { error: `means by the names of stores: ${keptStore.options.join(', ')}` })
      .optional(),
    severalServers: spelt(
      { by: text, needsRedis: onlyTrue.optional(), needsStore: keptStore.optional(), packages: texts.optional() },
      'an object: { by }',
    ).optional(),
    releasedTogether: texts.optional(),
    attaches: spelt(
      {
        protocol: text,
        documentIn: z.enum(['path', 'messages'], { error: '"path" or "messages"' }),
        hasReaders: onlyTrue.optional(),
      },
      'an object: { protocol, documentIn }',
    ).optional(),
    needsInternet: yes.optional(),
    hosted: z.undefined({ error: 'absent: only the project itself has editor drivers for pages of others' }).optional(),
    knownIssues: z.array(knownIssue, { error: 'a list of { summary, properties }' }).optional(),
    // A half may be copied from the project's: these count there alone, and are left out.
    crowd: z.unknown().optional(),
    instrument: z.unknown().optional(),
    onDemand: z.unknown().optional(),
    needs: z.unknown().optional(),
  } satisfies Record<keyof FrameworkAbout, z.ZodType>,
  'an object, see FrameworkAbout in editors/base/framework.ts',
);

/**
 * The name of its package.json, or of the folder where it has none.
 *
 * @throws UserError (exit code 2) if that can be no name
 */
export async function nameOfOutside(folder: string): Promise<string> {
  const named = await nameInManifest(join(folder, 'package.json'));
  const name = (named ?? basename(folder)).replace(/^@/, '').replaceAll('/', '-');
  if (NAME.test(name)) return name;
  throw new UserError(
    `the framework in ${folder} cannot be named ${JSON.stringify(name)}: letters, digits, "-", "_" and ".", 64 at most; change the name in its package.json, or its folder’s`,
  );
}

async function nameInManifest(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new UserError(`${path} cannot be read as JSON: ${messageOf(cause)}; mend it`, { cause });
  }
  const { data, error } = manifestSchema.safeParse(manifest);
  if (error === undefined) return data.name;
  throw new UserError(`${path}: ${error.issues[0]!.message}; mend it`);
}

/**
 * @param folder its real path
 * @throws UserError (exit code 2) if a module is missing or cannot be read, or `about` is none
 */
export async function readOutside(name: string, folder: string): Promise<Framework> {
  const [aboutPath, client, server] = HALVES.map((half) => moduleIn(folder, half)) as [string, string, string];
  const about = await readAbout(aboutPath, folder);
  const version = versionFor(aboutPath, about.package);
  const missing = `its package "${about.package}" is not installed; run npm install in ${folder}`;
  return {
    name,
    kind: 'outside',
    version: version ?? MISSING,
    about,
    problem: version === null ? missing : null,
    root: folder,
    client,
    server,
    packages: null,
  };
}

/** The files that it is known by: its three modules, and the package.json that its version is read from. */
export async function entriesOfOutside(folder: string): Promise<string[]> {
  const modules = HALVES.map((half) => moduleIn(folder, half)) as [string, string, string];
  const { package: packageName } = await readAbout(modules[0], folder);
  const manifest = manifestFor(modules[0], packageName);
  return manifest === null ? modules : [...modules, manifest];
}

function moduleIn(folder: string, half: (typeof HALVES)[number]): string {
  const ending = ENDINGS.find((each) => existsSync(join(folder, `${half}.${each}`)));
  if (ending === undefined) {
    throw new UserError(
      `${folder} holds no framework: there is no ${half}.ts or ${half}.js in it; it needs about, client and server, as docs/project/adding-a-framework.md says`,
    );
  }
  const path = realpathSync(join(folder, `${half}.${ending}`));
  if (ending === 'ts' && path.includes('/node_modules/')) {
    throw new UserError(
      `${path} is TypeScript below node_modules, which Node does not run; give the folder of its sources instead, link that folder (npm link), or put ${half}.js into the package`,
    );
  }
  return path;
}

async function readAbout(path: string, folder: string): Promise<FrameworkAbout> {
  hookPublicModules();
  const { href } = pathToFileURL(path);
  const module: { about?: unknown } = await import(/* @vite-ignore */ href).catch((cause) => {
    throw new UserError(`${path} cannot be loaded: ${messageOf(cause)}`, { cause });
  });
  if (module.about === undefined) {
    throw new UserError(`${path} exports no "about"; it needs one, as docs/project/adding-a-framework.md says`);
  }
  const { data, error } = aboutSchema.safeParse(module.about);
  if (error === undefined) {
    const { instrument: _, onDemand: __, besides: ___, needs: ____, ...about } = data as FrameworkAbout;
    return { ...about, crowd: LIVE_CROWD };
  }
  const { path: where, message } = error.issues[0]!;
  const what = ['about', ...where].join('.');
  throw new UserError(`the framework in ${folder} cannot be used: ${what} must be ${message}`);
}
