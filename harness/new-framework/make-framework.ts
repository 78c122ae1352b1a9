/** Makes the two folders of a framework, which work at once on a stand-in for the library. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, UserError } from '../../results/user-error.ts';
import { discoverAll } from '../frameworks/discover.ts';
import { PROJECT_ROOT, workFolderOf } from '../project.ts';
import { spareColour } from './colour.ts';
import { filesOf, type Kind } from './template.ts';

/** It names folders, and stands in tables, file names and links. */
const NAME = /^[A-Za-z][A-Za-z0-9-]*$/;
const LONGEST_NAME = 40;
const ROOMS = ['editors', 'servers'];

/**
 * Both folders are there in the end, or neither.
 *
 * @param options.root the project's folder
 * @returns the files' paths, from there on
 * @throws UserError (exit code 2) where the name is taken or cannot be one, (exit code 3) where nothing can be written
 */
export async function makeFramework(options: { name: string; kind: Kind; root?: string }): Promise<string[]> {
  const { name, kind, root = PROJECT_ROOT } = options;
  refuseUnusable(name);
  refuseTaken(name, root);
  const frameworks = await discoverAll(root);
  const files = await filesOf({ kind, name, colour: spareColour(frameworks.map(({ about }) => about.colour)) });
  const partial = join(workFolderOf(root), `new-framework-${process.pid}`);
  const moved: string[] = [];
  try {
    for (const { path, text } of files) {
      await mkdir(dirname(join(partial, path)), { recursive: true });
      await writeFile(join(partial, path), text);
    }
    for (const room of ROOMS) {
      refuseTaken(name, root, room);
      await rename(join(partial, room, name), join(root, room, name));
      moved.push(join(root, room, name));
    }
  } catch (error) {
    for (const folder of moved) await rm(folder, { recursive: true, force: true });
    if (error instanceof UserError) throw error;
    throw new UserError(`${name} could not be made, and nothing is left of it: ${messageOf(error)}`, {
      exitCode: 3,
      cause: error,
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return files.map(({ path }) => path);
}

function refuseUnusable(name: string): void {
  if (NAME.test(name) && name.length <= LONGEST_NAME) return;
  throw new UserError(
    `a framework cannot be named ${JSON.stringify(name)}: a name is a letter, then letters, digits and hyphens, ` +
      `${LONGEST_NAME} characters at most, such as my-framework`,
    { exitCode: 2 },
  );
}

function refuseTaken(name: string, root: string, ...rooms: readonly string[]): void {
  const taken = (rooms.length > 0 ? rooms : ROOMS).find((room) => existsSync(join(root, room, name)));
  if (taken === undefined) return;
  throw new UserError(`the name "${name}" is taken: there is ${taken}/${name}; choose another, or remove that folder`, {
    exitCode: 2,
  });
}
