#include "CDeferredCancel.h"

#include <errno.h>
#include <pthread.h>

int pthread_setcanceltype(int type, int *before)
{
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
    if (before) *before = PTHREAD_CANCEL_DEFERRED;
    return 0;
}
