/** Makes a framework, which works at once, on Yjs in the library's place: in its two rooms, or in a folder outside the project. */
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { besidePlace } from '../../infra/process/made-once.ts';
import { PROJECT_ROOT, workFolderOf } from '../../infra/project.ts';
import { fileProblem } from '../../results/file-problem.ts';
import { makeFolder } from '../../results/formats/write-file.ts';
import { messageOf, Unavailable, UserError } from '../../results/user-error.ts';
import { spareColour } from '../colour.ts';
import { discoverAll } from '../discover.ts';
import { filesOf, filesOutside, type Kind, type TemplateFile } from './template.ts';

/** It names folders, and stands in tables, file names and links. */
const NAME = /^[A-Za-z][A-Za-z0-9-]*$/;
const LONGEST_NAME = 40;
const ROOMS = ['editors', 'servers'];

/**
 * Both folders are there in the end, or neither.
 *
 * @param options.root the project's folder
 * @returns the files' paths, from there on
 * @throws UserError (exit code 2) if the name is taken or cannot be one, (exit code 3) if nothing can be written
 */
export async function makeFramework(options: { name: string; kind: Kind; root?: string }): Promise<string[]> {
  const { name, kind, root = PROJECT_ROOT } = options;
  refuseUnusable(name);
  refuseTaken(name, root);
  const frameworks = await discoverAll(root);
  const files = await filesOf({ kind, name, colour: spareColour(frameworks.map(({ about }) => about.colour)) });
  const moved: string[] = [];
  try {
    await besidePlace(join(workFolderOf(root), 'new-framework'), async (partial) => {
      await writeFiles(partial, files);
      for (const room of ROOMS) {
        refuseTaken(name, root, room);
        await rename(join(partial, room, name), join(root, room, name));
        moved.push(join(root, room, name));
      }
    });
  } catch (error) {
    for (const folder of moved) await rm(folder, { recursive: true, force: true });
    throw notMade(name, error);
  }
  return files.map(({ path }) => path);
}

/**
 * The folder is there in the end with all that is in it, or not at all.
 *
 * @param options.folder where it is to be; its last part is the framework's name
 * @returns the files' paths, from the folder on
 * @throws UserError as `makeFramework` does
 */
export async function makeFrameworkOutside(options: { folder: string; kind: Kind }): Promise<string[]> {
  const { folder, kind } = options;
  const name = basename(folder);
  refuseUnusable(name);
  if (existsSync(folder)) {
    throw new UserError(`there is ${folder} already; choose another name, or remove it`);
  }
  const frameworks = await discoverAll();
  if (frameworks.some((framework) => framework.name === name)) {
    throw new UserError(`the name "${name}" is taken by a framework of the project; choose another`);
  }
  const files = await filesOutside({ kind, name, colour: spareColour(frameworks.map(({ about }) => about.colour)) });
  await besidePlace(folder, async (partial) => {
    await writeFiles(partial, files);
    await rename(partial, folder);
  }).catch((error) => {
    throw notMade(name, error);
  });
  return files.map(({ path }) => path);
}

async function writeFiles(folder: string, files: readonly TemplateFile[]): Promise<void> {
  for (const { path, text } of files) {
    makeFolder(dirname(join(folder, path)));
    await writeFile(join(folder, path), text);
  }
}

function notMade(name: string, cause: unknown): UserError {
  if (cause instanceof UserError) return cause;
  return new Unavailable(
    `${name} could not be made, and nothing is left of it: ${fileProblem(cause)?.message ?? messageOf(cause)}`,
    { cause },
  );
}

function refuseUnusable(name: string): void {
  if (NAME.test(name) && name.length <= LONGEST_NAME) return;
  throw new UserError(
    `a framework cannot be named ${JSON.stringify(name)}: a name is a letter, then letters, digits and hyphens, ` +
      `${LONGEST_NAME} characters at most, such as my-framework`,
  );
}

function refuseTaken(name: string, root: string, ...rooms: readonly string[]): void {
  const taken = (rooms.length > 0 ? rooms : ROOMS).find((room) => existsSync(join(root, room, name)));
  if (taken === undefined) return;
  throw new UserError(`the name "${name}" is taken: there is ${taken}/${name}; choose another, or remove that folder`);
}
