/*
 * Loaded before the C library into a process that uses SQLite. Records in order what the process does to its database's
 * files, until each call has returned: writes, changes of length, syncs, removals. `recording.ts` reads the records.
 *
 * RECORDER_PREFIX: paths that begin like this are recorded, without those that end in "-shm", which SQLite
 * makes again after a crash. RECORDER_LOG: the file for the records.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind { NAMED = 1, WRITTEN, RESIZED, SYNCED, REMOVED, FOLDER_SYNCED };

struct record {
  uint32_t kind;
  uint32_t file;
  uint64_t offset; /* of the bytes; the new length of RESIZED */
  uint64_t length; /* of what follows */
};

#define MOST_FILES 64
#define MOST_DESCRIPTORS 4096
#define FOLDER UINT32_MAX

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int records = -1;
static char prefix[PATH_MAX], folder[PATH_MAX];
static size_t prefix_length;
static char *names[MOST_FILES + 1]; /* by number, from 1; null for one that was removed */
static uint32_t count;
static uint32_t opened[MOST_DESCRIPTORS]; /* number of the file, by descriptor */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void append(const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t written = syscall(SYS_write, records, at, length);
    if (written <= 0) abort();
    at += written;
    length -= (size_t)written;
  }
}

static void tell(enum kind kind, uint32_t file, uint64_t offset, const void *bytes, size_t length) {
  struct record record = {kind, file, offset, length};
  append(&record, sizeof record);
  append(bytes, length);
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("RECORDER_LOG"), *start = getenv("RECORDER_PREFIX");
  if (path == NULL || start == NULL) return;
  strncpy(prefix, start, sizeof prefix - 1);
  prefix_length = strlen(prefix);
  strncpy(folder, prefix, sizeof folder - 1);
  *strrchr(folder, '/') = 0;
  records = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static uint32_t numbered(const char *path) {
  size_t length = strlen(path);
  if (records < 0 || strncmp(path, prefix, prefix_length) != 0) return 0;
  if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
  for (uint32_t file = 1; file <= count; file += 1)
    if (names[file] != NULL && strcmp(names[file], path) == 0) return file;
  if (count == MOST_FILES) abort();
  count += 1;
  names[count] = strdup(path);
  tell(NAMED, count, 0, path, length);
  return count;
}

static int open_file(int at, const char *path, int flags, mode_t mode) {
  int descriptor = (int)syscall(SYS_openat, at, path, flags, mode);
  if (records < 0 || descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return descriptor;
  pthread_mutex_lock(&lock);
  opened[descriptor] = strcmp(path, folder) == 0 ? FOLDER : numbered(path);
  if (opened[descriptor] != 0 && opened[descriptor] != FOLDER && (flags & O_TRUNC) != 0)
    tell(RESIZED, opened[descriptor], 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return descriptor;
}

#define OPENS(name)                                     \
  int name(const char *path, int flags, ...) {          \
    va_list rest;                                       \
    va_start(rest, flags);                              \
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                       \
    return open_file(AT_FDCWD, path, flags, mode);      \
  }
OPENS(open)

int close(int descriptor) {
  if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS) opened[descriptor] = 0;
  return (int)syscall(SYS_close, descriptor);
}

static uint32_t file_of(int descriptor) {
  return descriptor >= 0 && descriptor < MOST_DESCRIPTORS ? opened[descriptor] : 0;
}

static ssize_t write_at(int descriptor, const void *bytes, size_t length, off_t offset) {
  uint32_t file = file_of(descriptor);
  if (file == 0) return syscall(SYS_pwrite64, descriptor, bytes, length, offset);
  pthread_mutex_lock(&lock);
  ssize_t written = syscall(SYS_pwrite64, descriptor, bytes, length, offset);
  if (written > 0) tell(WRITTEN, file, (uint64_t)offset, bytes, (size_t)written);
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return write_at(descriptor, bytes, length, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  uint32_t file = file_of(descriptor);
  if (file == 0) return syscall(SYS_write, descriptor, bytes, length);
  pthread_mutex_lock(&lock);
  off_t offset = lseek(descriptor, 0, SEEK_CUR);
  ssize_t written = syscall(SYS_write, descriptor, bytes, length);
  if (written > 0) tell(WRITTEN, file, (uint64_t)offset, bytes, (size_t)written);
  pthread_mutex_unlock(&lock);
  return written;
}

static int resize(int descriptor, off_t length) {
  uint32_t file = file_of(descriptor);
  if (file == 0) return (int)syscall(SYS_ftruncate, descriptor, length);
  pthread_mutex_lock(&lock);
  int failed = (int)syscall(SYS_ftruncate, descriptor, length);
  if (failed == 0) tell(RESIZED, file, (uint64_t)length, NULL, 0);
  pthread_mutex_unlock(&lock);
  return failed;
}

int ftruncate(int descriptor, off_t length) { return resize(descriptor, length); }

#ifdef __GLIBC__
/* Names of their own for long files, which other C libraries do not have. */
OPENS(open64)

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  return write_at(descriptor, bytes, length, offset);
}

int ftruncate64(int descriptor, off64_t length) { return resize(descriptor, length); }
#endif

/* The lock is kept meanwhile, so that a sync covers exactly what is recorded before it. */
static int sync_file(long call, int descriptor) {
  uint32_t file = file_of(descriptor);
  if (file == 0) return (int)syscall(call, descriptor);
  pthread_mutex_lock(&lock);
  int failed = (int)syscall(call, descriptor);
  if (failed == 0) tell(file == FOLDER ? FOLDER_SYNCED : SYNCED, file, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return failed;
}

int fsync(int descriptor) { return sync_file(SYS_fsync, descriptor); }
int fdatasync(int descriptor) { return sync_file(SYS_fdatasync, descriptor); }

int unlink(const char *path) {
  if (records < 0 || strncmp(path, prefix, prefix_length) != 0) return REAL(unlink)(path);
  pthread_mutex_lock(&lock);
  int failed = REAL(unlink)(path);
  uint32_t file = failed == 0 ? numbered(path) : 0;
  if (file != 0) {
    tell(REMOVED, file, 0, NULL, 0);
    names[file] = NULL;
  }
  pthread_mutex_unlock(&lock);
  return failed;
}
