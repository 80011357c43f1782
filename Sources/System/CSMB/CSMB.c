#include "CSMB.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <samba-4.0/libsmbclient.h>

#define FUNCTIONS(each)                                                                            \
    each(smbc_new_context) each(smbc_init_context) each(smbc_free_context) each(smbc_setDebug)     \
        each(smbc_setLogCallback) each(smbc_setConfiguration) each(smbc_setPort)                   \
            each(smbc_setTimeout) each(smbc_setOptionNoAutoAnonymousLogin)                         \
                each(smbc_setOptionUseKerberos) each(smbc_setOptionProtocols)                      \
                    each(smbc_setOptionSmbEncryptionLevel) each(smbc_setOptionUserData)            \
                        each(smbc_getOptionUserData) each(smbc_setFunctionAuthDataWithContext)     \
                            each(smbc_getFunctionOpendir) each(smbc_getFunctionClosedir)           \
                                each(smbc_getFunctionStat) each(smbc_getFunctionMkdir)             \
                                    each(smbc_getFunctionUnlink) each(smbc_getFunctionRename)      \
                                        each(smbc_getFunctionOpen) each(smbc_getFunctionRead)      \
                                            each(smbc_getFunctionWrite)                            \
                                                each(smbc_getFunctionClose)

static struct {
#define POINTER(name) __typeof__(&name) name;
    FUNCTIONS(POINTER)
} real;

static const char *problem = "it was not looked for";

struct copystand_smb {
    SMBCCTX *context;
    char *user, *domain, *password;
};

struct copystand_smb_file {
    SMBCFILE *file;
};

static int load(void)
{
    static void *library;
    if (library) return 1;
    library = dlopen("libsmbclient.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        problem = dlerror();
        return 0;
    }
#define FIND(name)                                                                                 \
    if (!(real.name = (__typeof__(real.name))dlsym(library, #name))) {                             \
        problem = "libsmbclient has no " #name;                                                    \
        library = NULL;                                                                            \
        return 0;                                                                                  \
    }
    FUNCTIONS(FIND)
    return 1;
}

const char *copystand_smb_problem(void) { return problem; }

static void copy(char *goal, int size, const char *text)
{
    if (size <= 0) return;
    strncpy(goal, text, (size_t)size - 1);
    goal[size - 1] = 0;
}

static void tell_account(SMBCCTX *context, const char *server, const char *share, char *domain,
    int domain_size, char *user, int user_size, char *password, int password_size)
{
    (void)server, (void)share;
    copystand_smb *self = real.smbc_getOptionUserData(context);
    copy(domain, domain_size, self->domain);
    copy(user, user_size, self->user);
    copy(password, password_size, self->password);
}

/* libsmbclient's log may contain names and other private data, and nobody reads it. */
static void log_nothing(void *context, int level, const char *message)
{ (void)context, (void)level, (void)message; }

copystand_smb *copystand_smb_new(const struct copystand_smb_account *account, int *error)
{
    if (!load()) {
        *error = ELIBACC;
        return NULL;
    }
    *error = ENOMEM;
    copystand_smb *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->user = strdup(account->user);
    self->domain = strdup(account->domain);
    self->password = strdup(account->password);
    self->context = real.smbc_new_context();
    if (!self->user || !self->domain || !self->password || !self->context) {
        copystand_smb_free(self);
        return NULL;
    }
    SMBCCTX *context = self->context;
    real.smbc_setDebug(context, 0);
    real.smbc_setLogCallback(context, NULL, log_nothing);
    /* The machine's own smb.conf could allow SMB 1, or send the password elsewhere. */
    real.smbc_setConfiguration(context, "/dev/null");
    real.smbc_setPort(context, (uint16_t)account->port);
    real.smbc_setTimeout(context, account->timeout);
    real.smbc_setOptionNoAutoAnonymousLogin(context, 1);
    real.smbc_setOptionUseKerberos(context, 0);
    real.smbc_setOptionSmbEncryptionLevel(context, SMBC_ENCRYPTLEVEL_REQUEST);
    real.smbc_setOptionUserData(context, self);
    real.smbc_setFunctionAuthDataWithContext(context, tell_account);
    *error = EPROTONOSUPPORT;
    if (!real.smbc_setOptionProtocols(context, "SMB2_02", "SMB3") ||
        !real.smbc_init_context(context)) {
        copystand_smb_free(self);
        return NULL;
    }
    *error = 0;
    return self;
}

void copystand_smb_free(copystand_smb *self)
{
    if (!self) return;
    if (self->context) real.smbc_free_context(self->context, 1);
    if (self->password) explicit_bzero(self->password, strlen(self->password));
    free(self->user);
    free(self->domain);
    free(self->password);
    free(self);
}

/* Returns the error number of a failure, which is always positive, whatever value the library
   left in errno. */
static int number(int has_failed) { return !has_failed ? 0 : errno > 0 ? errno : EIO; }

int copystand_smb_look_into(copystand_smb *self, const char *folder)
{
    errno = 0;
    SMBCFILE *file = real.smbc_getFunctionOpendir(self->context)(self->context, folder);
    if (file) real.smbc_getFunctionClosedir(self->context)(self->context, file);
    return number(!file);
}

int copystand_smb_size(copystand_smb *self, const char *address, int64_t *size)
{
    struct stat status;
    errno = 0;
    int failed = real.smbc_getFunctionStat(self->context)(self->context, address, &status) != 0;
    if (!failed) *size = status.st_size;
    return number(failed);
}

int copystand_smb_make_folder(copystand_smb *self, const char *address)
{
    errno = 0;
    return number(real.smbc_getFunctionMkdir(self->context)(self->context, address, 0777) != 0);
}

int copystand_smb_remove(copystand_smb *self, const char *address)
{
    errno = 0;
    return number(real.smbc_getFunctionUnlink(self->context)(self->context, address) != 0);
}

int copystand_smb_rename(copystand_smb *self, const char *address, const char *goal)
{
    SMBCCTX *context = self->context;
    errno = 0;
    return number(
        real.smbc_getFunctionRename(context)(context, address, context, goal) != 0);
}

int copystand_smb_open(
    copystand_smb *self, const char *address, enum copystand_smb_way way, copystand_smb_file **file)
{
    int flags = way == copystand_smb_read_file  ? O_RDONLY
                : way == copystand_smb_new_file ? O_WRONLY | O_CREAT | O_EXCL
                                                : O_WRONLY | O_CREAT | O_TRUNC;
    copystand_smb_file *made = malloc(sizeof *made);
    if (!made) return ENOMEM;
    errno = 0;
    made->file = real.smbc_getFunctionOpen(self->context)(self->context, address, flags, 0666);
    if (!made->file) {
        int error = number(1);
        free(made);
        return error;
    }
    *file = made;
    return 0;
}

int copystand_smb_read(
    copystand_smb *self, copystand_smb_file *file, void *bytes, size_t count, size_t *read)
{
    errno = 0;
    ssize_t got =
        real.smbc_getFunctionRead(self->context)(self->context, file->file, bytes, count);
    *read = got > 0 ? (size_t)got : 0;
    return number(got < 0);
}

int copystand_smb_write(
    copystand_smb *self, copystand_smb_file *file, const void *bytes, size_t count)
{
    const char *next = bytes;
    while (count > 0) {
        errno = 0;
        ssize_t put =
            real.smbc_getFunctionWrite(self->context)(self->context, file->file, next, count);
        if (put <= 0) return number(1);
        next += put;
        count -= (size_t)put;
    }
    return 0;
}

int copystand_smb_close(copystand_smb *self, copystand_smb_file *file)
{
    errno = 0;
    int failed = real.smbc_getFunctionClose(self->context)(self->context, file->file) != 0;
    int error = number(failed);
    free(file);
    return error;
}
