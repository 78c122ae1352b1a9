/*
 * Keeps a copy of each file as it was when it was last synced, so that a power failure can be told from a crash: after a crash the
 * system still writes out all that processes handed over, after a power failure only what was synced is sure to be there.
 *
 * power-loss.ts loads this into a store's processes by LD_PRELOAD. Each fsync or fdatasync of a regular file copies the file into the
 * folder that SCRIPTORIUM_SYNCED names, under its inode's number, so that renames need no following. Before that folder is made, and
 * once it is gone, nothing is copied.
 *
 * The model: contents are durable once they are synced; names are at once (files made, renamed, deleted). Only syncs need to be seen,
 * not writes, so a file may be written by any means. A sync by other means leaves a file `unknown-NAME`, and the trial does not count.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Long enough for a path in the folder. */
typedef char Path[PATH_MAX + 64];

static char folder[PATH_MAX];

/* Read once, since some programs write over their environment. */
__attribute__((constructor)) static void begin(void) {
  const char *named = getenv("SCRIPTORIUM_SYNCED");
  if (named != NULL && strlen(named) < sizeof folder) strcpy(folder, named);
}

static int open_in_folder(const char *name, int flags) {
  Path path;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return open(path, flags | O_CREAT | O_CLOEXEC, 0666);
}

static void tell_unknown(const char *what) {
  Path name;
  snprintf(name, sizeof name, "unknown-%s", what);
  int told = folder[0] == '\0' ? -1 : open_in_folder(name, O_WRONLY);
  if (told >= 0) close(told);
}

static int copy_all(int from, int to) {
  char chunk[1 << 16];
  off_t at = 0;
  ssize_t got;
  while ((got = pread(from, chunk, sizeof chunk, at)) > 0) {
    if (pwrite(to, chunk, got, at) != got) return -1;
    at += got;
  }
  return (int)got;
}

/* `file`: the path of the open file in /proc. A second name keeps its inode, whose number no other file gets then. */
static int keep_as(const char *file, unsigned long inode) {
  Path part, kept, pin;
  snprintf(part, sizeof part, "%s/part", folder);
  snprintf(kept, sizeof kept, "%s/%lu", folder, inode);
  snprintf(pin, sizeof pin, "%s/%lu.pin", folder, inode);
  int from = open(file, O_RDONLY | O_CLOEXEC);
  int to = open_in_folder("part", O_WRONLY | O_TRUNC);
  int result = from < 0 || to < 0 ? -1 : copy_all(from, to);
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  if (result != 0 || rename(part, kept) != 0) return -1;
  return linkat(AT_FDCWD, file, AT_FDCWD, pin, AT_SYMLINK_FOLLOW) == 0 || errno == EEXIST ? 0 : -1;
}

/* One at a time among all processes, or an older copy could be renamed over a newer one. */
static void keep(int descriptor) {
  struct stat found;
  char file[64];
  if (folder[0] == '\0' || fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode) || found.st_nlink == 0) return;
  int lock = open_in_folder("lock", O_RDWR);
  if (lock < 0) return;
  while (flock(lock, LOCK_EX) != 0 && errno == EINTR) continue;
  snprintf(file, sizeof file, "/proc/self/fd/%d", descriptor);
  if (keep_as(file, (unsigned long)found.st_ino) != 0) tell_unknown("copy");
  close(lock);
}

static int keep_after(int result, int descriptor) {
  int error = errno;
  if (result == 0) keep(descriptor);
  errno = error;
  return result;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int descriptor) { return keep_after(REAL(fsync)(descriptor), descriptor); }

int fdatasync(int descriptor) { return keep_after(REAL(fdatasync)(descriptor), descriptor); }

int syncfs(int descriptor) {
  tell_unknown("syncfs");
  return REAL(syncfs)(descriptor);
}

void sync(void) {
  tell_unknown("sync");
  REAL(sync)();
}

int msync(void *start, size_t length, int flags) {
  if (flags & MS_SYNC) tell_unknown("msync");
  return REAL(msync)(start, length, flags);
}
