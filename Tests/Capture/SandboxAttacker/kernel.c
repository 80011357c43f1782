#define _GNU_SOURCE
#include "attacks.h"

#include <errno.h>
#include <linux/reboot.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

/* Other parts of the kernel: sockets, terminals, modules, clocks. The arguments do no harm if a
 * call is allowed. */

#define ATTACK(name) static long name(__attribute__((unused)) const struct target *target)
#define RAW(name, ...)                                                                             \
    ATTACK(name) { return syscall(__VA_ARGS__); }

static const struct sockaddr_un nowhere = {.sun_family = AF_UNIX, .sun_path = "\0copystand-attack"};

RAW(internet_socket, SYS_socket, AF_INET, SOCK_STREAM, 0)
RAW(local_socket, SYS_socket, AF_UNIX, SOCK_STREAM, 0)
RAW(netlink_socket, SYS_socket, AF_NETLINK, SOCK_RAW, 0)
RAW(stream_pair, SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, &(int[2]){0})
RAW(datagram_pair, SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, &(int[2]){0})
RAW(packet_pair, SYS_socketpair, AF_UNIX, SOCK_SEQPACKET, 0, &(int[2]){0})
RAW(pair_of_another_family, SYS_socketpair, 30, SOCK_STREAM, 0, &(int[2]){0})
RAW(connection, SYS_connect, 3, &nowhere, sizeof nowhere)
RAW(address, SYS_bind, 3, &nowhere, sizeof nowhere)
RAW(listening, SYS_listen, 3, 1)
RAW(personality_changed, SYS_personality, 0xffffffff)
RAW(kernel_log, SYS_syslog, 10, NULL, 0)
RAW(restart, SYS_reboot, 0, 0, 0, NULL)
RAW(module, SYS_finit_module, -1, "", 0)
RAW(new_kernel, SYS_kexec_load, 0, 0, NULL, -1)
RAW(terminal_hung_up, SYS_vhangup)
RAW(clock_set, SYS_clock_settime, 0, NULL)
RAW(clock_turned, SYS_adjtimex, NULL)
RAW(host_name, SYS_sethostname, "", -1)
RAW(new_user, SYS_setresuid, -1, -1, -1)
RAW(new_group, SYS_setresgid, -1, -1, -1)
RAW(new_groups, SYS_setgroups, 0, NULL)
RAW(capabilities, SYS_capset, NULL, NULL)
RAW(memory_map_of_program, SYS_prctl, PR_SET_MM, 0, 0, 0, 0)
RAW(traced_by_anybody, SYS_prctl, PR_SET_PTRACER, -1L, 0, 0, 0)
RAW(dumped, SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0)
RAW(timer, SYS_timer_create, 0, NULL, &(int){0})
RAW(program_by_descriptor, SYS_execveat, -1, "", NULL, NULL, 0x1000)

#ifdef __x86_64__
RAW(ports, SYS_ioperm, 0, 1, 0)
RAW(segments, SYS_modify_ldt, 0, NULL, 0)
RAW(call_of_x32, 0x40000000 | SYS_getpid)
/* getpid by its number in the 32-bit interface. */
ATTACK(call_of_i386)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
    if (result >= 0 || result < -4095) return result;
    errno = (int)-result;
    return -1;
}
#endif

#define ROW(name) {#name, name, 0}
const struct attack kernel_attacks[] = {
    ROW(internet_socket),
    ROW(local_socket),
    ROW(netlink_socket),
    ROW(stream_pair),
    ROW(datagram_pair),
    ROW(packet_pair),
    ROW(pair_of_another_family),
    ROW(connection),
    ROW(address),
    ROW(listening),
    ROW(personality_changed),
    ROW(kernel_log),
    ROW(restart),
    ROW(module),
    ROW(new_kernel),
    ROW(terminal_hung_up),
    ROW(clock_set),
    ROW(clock_turned),
    ROW(host_name),
    ROW(new_user),
    ROW(new_group),
    ROW(new_groups),
    ROW(capabilities),
    ROW(memory_map_of_program),
    ROW(traced_by_anybody),
    ROW(dumped),
    ROW(timer),
    ROW(program_by_descriptor),
#ifdef __x86_64__
    ROW(ports),
    ROW(segments),
    ROW(call_of_x32),
    ROW(call_of_i386),
#endif
    {NULL, NULL, 0},
};
