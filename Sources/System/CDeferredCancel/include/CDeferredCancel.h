/* Makes threads of scanner drivers end only at places where that is safe. */
#ifndef CDEFERREDCANCEL_H
#define CDEFERREDCANCEL_H

/* Replaces the C library's function of that name in a program that is linked with it, for every
 * caller: POSIX's pthread_setcanceltype, but the type stays PTHREAD_CANCEL_DEFERRED, which is
 * also returned as the old type.
 *
 * Many SANE drivers read in a thread of their own, make it cancellable at any instruction and
 * cancel it at the end of every page (sanei_thread; the drivers avision, pixma, plustek, test
 * and others). A thread that ends while it allocates or frees memory keeps the allocator's lock,
 * and any thread that joins it or allocates waits forever: seen with the driver `test` about
 * once in 6,000 pages. With deferred cancellation, a thread ends where it waits or tests for
 * cancellation (pthreads(7), "Cancellation points"), such as in read, write, poll and nanosleep.
 *
 * Returns 0, or EINVAL for a type that is neither PTHREAD_CANCEL_DEFERRED nor
 * PTHREAD_CANCEL_ASYNCHRONOUS. */
int pthread_setcanceltype(int type, int *before);

#endif
