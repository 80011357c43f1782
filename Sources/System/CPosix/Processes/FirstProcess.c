#define _GNU_SOURCE
#include "../Sandbox/Sandbox.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The first process of a namespace adopts the processes that others leave behind, and all others
   end when it is killed. It must not share the host's memory and needs none of its own, so it is a
   program of a few instructions that waits forever. */

#if defined(__x86_64__)
#define MACHINE EM_X86_64
/* again: mov eax, pause; syscall; jmp again */
#define CODE 0xb8, SYS_pause, 0, 0, 0, 0x0f, 0x05, 0xeb, 0xf7
typedef uint8_t instruction;
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
/* again: x0 to x4 = 0; x8 = ppoll; svc 0; b again */
#define CODE                                                                                       \
    0xd2800000, 0xd2800001, 0xd2800002, 0xd2800003, 0xd2800004, 0xd2800008 | SYS_ppoll << 5,       \
        0xd4000001, 0x17fffff9
typedef uint32_t instruction;
#endif

#ifdef MACHINE
struct image {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    instruction code[sizeof((const instruction[]){CODE}) / sizeof(instruction)];
};

enum { address = 0x400000, start = offsetof(struct image, code) };

static const struct image image = {
    .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = MACHINE,
        .e_version = EV_CURRENT,
        .e_entry = address + start,
        .e_phoff = offsetof(struct image, segment),
        .e_ehsize = sizeof(Elf64_Ehdr),
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_phnum = 1},
    .segment = {.p_type = PT_LOAD,
        .p_flags = PF_R | PF_X,
        .p_vaddr = address,
        .p_paddr = address,
        .p_filesz = sizeof(struct image),
        .p_memsz = sizeof(struct image),
        .p_align = 0x10000},
    .code = {CODE},
};

int sandbox_first_program(void)
{
    /* MFD_EXEC, which kernels before 6.3 do not know. */
    enum { executable = 0x10 };
    int file = memfd_create("copystand-first", MFD_CLOEXEC | executable);
    if (file < 0 && errno == EINVAL) file = memfd_create("copystand-first", MFD_CLOEXEC);
    if (file < 0) return -1;
    /* The descriptor must be above those that a child puts in place. */
    int program = -1;
    if (write(file, &image, sizeof image) == sizeof image)
        program = fcntl(file, F_DUPFD_CLOEXEC, 10);
    int failure = errno;
    close(file);
    errno = failure;
    return program;
}
#else
int sandbox_first_program(void)
{
    errno = ENOSYS;
    return -1;
}
#endif

void sandbox_run_first(int program)
{
    char *const arguments[] = {"copystand-first", NULL}, *const none[] = {NULL};
    syscall(SYS_execveat, program, "", arguments, none, AT_EMPTY_PATH);
}
