#define _GNU_SOURCE
#include "attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Attacks by memory: memory that no limit counts, and memory that outlives its process. */

#define ATTACK(name) static long name(__attribute__((unused)) const struct target *target)
#define RAW(name, ...)                                                                             \
    ATTACK(name) { return syscall(__VA_ARGS__); }

static long mapped(size_t size, int protection, int flags)
{ return mmap(NULL, size, protection, MAP_ANONYMOUS | flags, -1, 0) == MAP_FAILED ? -1 : 0; }

static const int both = PROT_READ | PROT_WRITE;

RAW(file_in_memory, SYS_memfd_create, "attack", 0)
RAW(large_file_in_memory, SYS_memfd_create, "attack", MFD_HUGETLB)
RAW(secret_memory, 447, 0)
ATTACK(shared_memory) { return mapped(1 << 20, both, MAP_SHARED); }
ATTACK(shared_memory_checked) { return mapped(1 << 20, both, MAP_SHARED_VALIDATE); }
ATTACK(growing_stack) { return mapped(1 << 20, both, MAP_PRIVATE | MAP_GROWSDOWN); }
ATTACK(large_pages) { return mapped(2 << 20, both, MAP_PRIVATE | MAP_HUGETLB); }
ATTACK(tables_of_pages) { return mapped(1L << 45, PROT_READ, MAP_PRIVATE | MAP_NORESERVE); }
ATTACK(private_memory) { return mapped(1L << 36, both, MAP_PRIVATE | MAP_NORESERVE); }
RAW(locked_memory, SYS_mlockall, MCL_CURRENT)
RAW(shared_segment, SYS_shmget, IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600)
RAW(message_queue, SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600)
RAW(semaphores, SYS_semget, IPC_PRIVATE, 1, IPC_CREAT | 0600)
RAW(posix_queue, SYS_mq_open, "copystand-attack", O_RDWR | O_CREAT, 0600, NULL)
RAW(key, SYS_add_key, "user", "copystand-attack", "1", 1, KEY_SPEC_USER_KEYRING)
RAW(keyring, SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1)
RAW(key_request, SYS_request_key, "user", "copystand-attack", NULL, 0)
RAW(wide_pipe, SYS_fcntl, target->given, F_SETPIPE_SZ, 1 << 20)
RAW(wide_socket, SYS_setsockopt, 3, SOL_SOCKET, SO_SNDBUF, &(int){1 << 20}, sizeof(int))
RAW(spliced, SYS_vmsplice, 1, NULL, 0, 0)
RAW(ring, SYS_io_uring_setup, 1, &(char[120]){0})
RAW(old_ring, SYS_io_setup, 1, &(long){0})
RAW(faults_by_hand, SYS_userfaultfd, 1)
RAW(program_in_kernel, SYS_bpf, 0, &(char[72]){0}, 72)

#define ROW(name) {#name, name, 0}
#define FULL(name) {#name, name, ENOMEM}
const struct attack memory_attacks[] = {
    ROW(file_in_memory),
    ROW(large_file_in_memory),
    ROW(secret_memory),
    ROW(shared_memory),
    ROW(shared_memory_checked),
    ROW(growing_stack),
    ROW(large_pages),
    FULL(tables_of_pages),
    FULL(private_memory),
    ROW(locked_memory),
    ROW(shared_segment),
    ROW(message_queue),
    ROW(semaphores),
    ROW(posix_queue),
    ROW(key),
    ROW(keyring),
    ROW(key_request),
    ROW(wide_pipe),
    ROW(wide_socket),
    ROW(spliced),
    ROW(ring),
    ROW(old_ring),
    ROW(faults_by_hand),
    ROW(program_in_kernel),
    {NULL, NULL, 0},
};
