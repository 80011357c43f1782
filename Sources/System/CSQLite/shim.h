#pragma once
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* sqlite3_bind_text64 and sqlite3_bind_blob64 with SQLITE_TRANSIENT, a cast that Swift cannot
 * write: SQLite copies the bytes. */
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *bytes, size_t count)
{
    /* An empty string may have no address, and without one SQLite binds null. */
    return sqlite3_bind_text64(
        statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int csqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, size_t count)
{
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* Calls sqlite3_db_config, which is variadic, for an option with an on/off value. */
static inline int csqlite_switch(sqlite3 *database, int option, int on)
{ return sqlite3_db_config(database, option, on, (int *)0); }

/* The interface of FTS5 on a connection; NULL without FTS5. sqlite3_bind_pointer takes a name that
 * must live as long as SQLite. */
static inline fts5_api *csqlite_fts5(sqlite3 *database)
{
    fts5_api *api = NULL;
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, NULL) == SQLITE_OK) {
        sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", NULL);
        sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    return api;
}

/* An instance of unicode61 that removes accents, as the array of strings for xCreate. */
static inline int csqlite_create_tokenizer(
    fts5_tokenizer *functions, void *data, Fts5Tokenizer **instance)
{
    const char *arguments[] = {"remove_diacritics", "2"};
    return functions->xCreate(data, arguments, 2, instance);
}

/* Returns a path unchanged, without following links. */
static inline int csqlite_same_path(sqlite3_vfs *system, const char *path, int room, char *result)
{
    (void)system;
    if (strlen(path) >= (size_t)room) return SQLITE_CANTOPEN;
    strcpy(result, path);
    return SQLITE_OK;
}

/* The name of a file system for SQLite that does not resolve links, so that `/proc/self/fd/N/name`
   stays as short as it is; NULL when there is none. */
static inline const char *csqlite_unfollowed_paths(void)
{
    static sqlite3_vfs system;
    sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
    sqlite3_mutex_enter(mutex);
    sqlite3_vfs *usual = system.zName ? NULL : sqlite3_vfs_find("unix");
    if (usual) {
        system = *usual;
        system.zName = "copystand-unfollowed";
        system.xFullPathname = csqlite_same_path;
        sqlite3_vfs_register(&system, 0);
    }
    sqlite3_mutex_leave(mutex);
    return system.zName;
}

/* The errno of the last sync of a folder that failed on this thread; 0 for none. */
static inline int *csqlite_folder_fault(void)
{
    static _Thread_local int fault;
    return &fault;
}

/* Takes the place of SQLite's call that opens the folder of a file to sync it: SQLite ignores
 * whether that succeeds. The folder is synced here, and SQLite is told that it can't be opened,
 * which it accepts. */
static inline int csqlite_sync_folder(const char *file, int *descriptor)
{
    char folder[4096];
    const char *slash = strrchr(file, '/');
    size_t length = slash ? (size_t)(slash - file) : 0;
    *descriptor = -1;
    if (length >= sizeof folder) return SQLITE_CANTOPEN;
    memcpy(folder, slash ? file : ".", slash ? length : 1);
    folder[slash ? length : 1] = 0;
    int opened = open(slash && !length ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return SQLITE_CANTOPEN;
    /* Some network file systems can't sync a folder, and have nothing to make durable there. */
    if (fsync(opened) != 0 && errno != EINVAL && errno != ENOTSUP) *csqlite_folder_fault() = errno;
    close(opened);
    return SQLITE_CANTOPEN;
}

/* Takes the place of pwrite. SQLite extends the index of its log by the last byte of each page and
 * maps the pages; if the disk then has no block for the rest of one, writing there is a bus error.
 */
static inline ssize_t csqlite_write(int file, const void *bytes, size_t count, off_t offset)
{
    const off_t page = 4096;
    struct stat about;
    if (count == 1 && (offset + 1) % page == 0 && fstat(file, &about) == 0
        && about.st_size <= offset) {
        int fault = posix_fallocate(file, offset + 1 - page, page);
        if (fault == ENOSPC || fault == EDQUOT || fault == EIO) {
            errno = fault;
            return -1;
        }
    }
    return pwrite(file, bytes, count, offset);
}

/* Takes the place of the call that opens files. A journal can name a second one, the
 * super-journal, which SQLite would open and delete, whatever it is; archives never have one. */
static inline int csqlite_open(
    sqlite3_vfs *system, const char *path, sqlite3_file *file, int flags, int *given)
{
    /* All of SQLite's systems for Unix open files by one call. */
    sqlite3_vfs *other = flags & SQLITE_OPEN_SUPER_JOURNAL ? NULL : sqlite3_vfs_find("unix-none");
    if (other) return other->xOpen(system, path, file, flags, given);
    file->pMethods = NULL;
    return SQLITE_CANTOPEN;
}

/* Puts the calls above in the place of SQLite's, for every database that is opened afterward. */
static inline void csqlite_replace_calls(void)
{
    sqlite3_vfs *usual = sqlite3_vfs_find("unix");
    if (!usual) return;
    usual->xOpen = csqlite_open;
    if (usual->iVersion < 3) return;
    usual->xSetSystemCall(usual, "openDirectory", (sqlite3_syscall_ptr)csqlite_sync_folder);
    /* Which of the two SQLite uses depends on how it was built. */
    usual->xSetSystemCall(usual, "pwrite", (sqlite3_syscall_ptr)csqlite_write);
    usual->xSetSystemCall(usual, "pwrite64", (sqlite3_syscall_ptr)csqlite_write);
}

/* The errno of a sync of a folder that failed on this thread since the last call; 0 for none. */
static inline int csqlite_take_folder_fault(void)
{
    int fault = *csqlite_folder_fault();
    *csqlite_folder_fault() = 0;
    return fault;
}
