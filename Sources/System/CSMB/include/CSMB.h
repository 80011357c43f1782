#pragma once
#include <stddef.h>
#include <stdint.h>

/* Files on SMB shares, through Samba's libsmbclient without being linked with it: it is loaded when
   it is first needed (dlopen), since only a sink of the kind 'smb' needs it. Only SMB 2 and 3 are
   used. Calls block and must come from one thread.

   Addresses are smb://host/share/path, percent-encoded and without a port. Functions with an int as
   their result return 0 or an error number of errno. */

typedef struct copystand_smb copystand_smb;
typedef struct copystand_smb_file copystand_smb_file;

struct copystand_smb_account {
    const char *user;
    const char *domain;
    const char *password;
    int port;
    int timeout; /* milliseconds that a server may take for one answer */
};

/* An opener of connections for an account; NULL with an error number in *error, which is ELIBACC
   when libsmbclient can't be loaded. Strings are copied. */
copystand_smb *copystand_smb_new(const struct copystand_smb_account *account, int *error);
/* The reason why libsmbclient could not be loaded. */
const char *copystand_smb_problem(void);
void copystand_smb_free(copystand_smb *smb);

/* Checks that the folder exists and can be listed. */
int copystand_smb_look_into(copystand_smb *smb, const char *folder);
/* The length of a file. */
int copystand_smb_size(copystand_smb *smb, const char *address, int64_t *size);
int copystand_smb_make_folder(copystand_smb *smb, const char *address);
int copystand_smb_remove(copystand_smb *smb, const char *address);
/* Renames a file. An existing file with the new name is removed; libsmbclient leaves no choice. */
int copystand_smb_rename(copystand_smb *smb, const char *address, const char *goal);

/* Opens a file for reading; for writing, after emptying an existing one; or for writing a new
   one, which fails with EEXIST if the name is in use. */
enum copystand_smb_way {
    copystand_smb_read_file,
    copystand_smb_write_file,
    copystand_smb_new_file
};
int copystand_smb_open(
    copystand_smb *smb, const char *address, enum copystand_smb_way way, copystand_smb_file **file);
/* Reads up to `count` bytes, and stores their number, 0 at the end. */
int copystand_smb_read(
    copystand_smb *smb, copystand_smb_file *file, void *bytes, size_t count, size_t *read);
/* Writes all bytes. */
int copystand_smb_write(
    copystand_smb *smb, copystand_smb_file *file, const void *bytes, size_t count);
int copystand_smb_close(copystand_smb *smb, copystand_smb_file *file);
