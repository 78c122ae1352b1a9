import { expect, test } from 'vitest';
import { fileProblem, readingProblem } from './file-problem.ts';

const of = (code: string, more: object = { path: '/a/b' }) =>
  fileProblem(Object.assign(new Error(code), { code, ...more }));

test.each([
  ['EACCES', 3, '/a/b cannot be used: this account has no right to it; change its permissions, or give another place'],
  ['EPERM', 3, '/a/b cannot be used: this account has no right to it; change its permissions, or give another place'],
  ['EROFS', 3, '/a/b cannot be used: its file system is read-only; make it writable, or give another place'],
  ['ENOTDIR', 2, '/a/b cannot be used: it is a file, or lies below one; give a folder'],
  ['EEXIST', 2, '/a/b cannot be used: it is a file, or lies below one; give a folder'],
  ['EISDIR', 2, '/a/b cannot be used: it is a folder; give a file'],
  ['ENAMETOOLONG', 2, '/a/b cannot be used: its name is too long; give a shorter one'],
  ['ENOSPC', 3, '/a/b: the disk is full; free some space, then give the command again'],
  ['EDQUOT', 3, '/a/b: this account’s share of the disk is used up; free some space, then give the command again'],
  ['EIO', 3, '/a/b: the disk failed to read or write; look into the system’s log, then give the command again'],
])('%s is exit code %d with a sentence', (code, exitCode, message) => {
  expect(of(code)).toEqual({ message, exitCode });
});

test('the place is where something was to be, and --resume is named where there is one', () => {
  expect(of('EROFS', { path: '/from', dest: '/to' })?.message).toMatch(/^\/to /);
  expect(of('ENOENT', { path: '/proc/x', syscall: 'mkdir' })?.message).toMatch(
    /x cannot .* no folder can be made there/,
  );
  const full = Object.assign(new Error(), { code: 'ENOSPC' });
  expect(fileProblem(full, { again: 'go on with --resume' })?.message).toMatch(
    /^a file: .*, then go on with --resume$/,
  );
});

test('a folder of temporary files that cannot be used is named, with its variable', () => {
  const advice = 'set TMPDIR to a folder that is there and can be written to';
  const inTemporary = (code: string) => of(code, { path: '/nope/tmp/mine-XXXXXX', syscall: 'mkdtemp' });
  expect(inTemporary('ENOENT')).toEqual({
    message: `/nope/tmp, the folder of temporary files, cannot be used: there is no such folder; ${advice}`,
    exitCode: 3,
  });
  expect(inTemporary('EACCES')?.message).toContain(`this account has no right to it; ${advice}`);
  expect(inTemporary('ENOSPC')?.message).toContain('the disk is full');
});

test('what is missing, or no file’s, stays an error of the program', () => {
  expect(of('ENOENT', { path: '/a', syscall: 'open' })).toBeNull();
  expect(of('EPERM', { syscall: 'kill' })).toBeNull();
  for (const other of [undefined, null, 'text', new Error('x')]) expect(fileProblem(other)).toBeNull();
});

test('why a file could not be read is a few words', () => {
  const because = (code: string) => readingProblem(Object.assign(new Error('in its words'), { code }));
  expect(['ENOENT', 'EACCES', 'EISDIR', 'other'].map(because)).toEqual([
    'there is no such file',
    'this account has no right to it',
    'it is a folder',
    'in its words',
  ]);
});
