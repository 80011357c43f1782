#include "Libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The version of the headers used for compiling: structures of other versions differ. */
#define SONAME(library, version) "lib" library ".so." AV_STRINGIFY(version)

static struct video_libraries real;
static char missing[128];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char complaint[256];

/* Of several errors, the first is the cause of the others. */
static void listen_to(void *context, int level, const char *format, va_list values)
{
    (void)context;
    if (level > AV_LOG_ERROR) return;
    pthread_mutex_lock(&lock);
    if (complaint[0] == 0) {
        vsnprintf(complaint, sizeof complaint, format, values);
        size_t end = strlen(complaint);
        while (end > 0 && (complaint[end - 1] == '\n' || complaint[end - 1] == '.'))
            complaint[--end] = 0;
    }
    pthread_mutex_unlock(&lock);
}

void video_complaint(char *message, size_t length)
{
    pthread_mutex_lock(&lock);
    snprintf(message, length, "%s", complaint);
    complaint[0] = 0;
    pthread_mutex_unlock(&lock);
}

static void *opened(const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library && missing[0] == 0) snprintf(missing, sizeof missing, "%s", name);
    return library;
}

static void *found(void *library, const char *name)
{
    void *function = library ? dlsym(library, name) : NULL;
    if (!function && missing[0] == 0) snprintf(missing, sizeof missing, "%s", name);
    return function;
}

static void load(void)
{
    void *utility = opened(SONAME("avutil", LIBAVUTIL_VERSION_MAJOR));
    void *codec = opened(SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR));
    void *format = opened(SONAME("avformat", LIBAVFORMAT_VERSION_MAJOR));
    void *scale = opened(SONAME("swscale", LIBSWSCALE_VERSION_MAJOR));
#define OF(library, name) real.name = (__typeof__(real.name))found(library, #name);
#define OF_FORMAT(name) OF(format, name)
#define OF_CODEC(name) OF(codec, name)
#define OF_UTILITY(name) OF(utility, name)
#define OF_SCALE(name) OF(scale, name)
    VIDEO_FORMAT(OF_FORMAT)
    VIDEO_CODEC(OF_CODEC)
    VIDEO_UTILITY(OF_UTILITY)
    VIDEO_SCALE(OF_SCALE)
    if (missing[0] == 0) real.av_log_set_callback(listen_to);
}

const struct video_libraries *video_libraries(char *message, size_t length)
{
    pthread_once(&once, load);
    if (missing[0] == 0) return &real;
    snprintf(message, length, "%s", missing);
    return NULL;
}
