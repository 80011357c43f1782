/* The functions that a Copystand backend in C needs. Copy this file next to yours and include it
   in one C file; link with -pthread.

       #include "copystand_backend.h"

       static int devices(cs_list *list, int quick) {
           cs_add(list, &(cs_device){.id = "lamp", .name = "Desk lamp scanner", .kind = "scanner"});
           return 0;
       }
       ...
       int main(void) {
           return cs_run(&(cs_backend){.name = "Lamp scanners", .version = "1.0",
               .devices = devices, .open = open_lamp, .capture = capture, .close = close_lamp});
       }

   A function that fails returns -1 (or NULL) after cs_fail(code, "what failed, with the value").
   Functions are called on threads of the backend's own: those of one device one after the other,
   but `capture` runs in parallel to them, and devices run in parallel; so `capture` asks
   cs_setting for its options. The protocol is described in Docs/developers/CaptureProtocol.md. */
#ifndef COPYSTAND_BACKEND_H
#define COPYSTAND_BACKEND_H
#ifndef _GNU_SOURCE
#error "begin your file with #define _GNU_SOURCE"
#endif
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* --- What you write --- */

/* A device. `id`, `name` and `kind` ("scanner", "camera" or "files") must be there, the rest may be
 * 0. */
typedef struct {
    const char *id, *name, *kind, *vendor, *model, *connection;
    const char *sources[8];     /* such as "flatbed", "feeder", "camera" */
    double width, height;       /* the largest area in millimeters */
    const char *state, *advice; /* "busy", "noPermission" or "offline", and what to do about it */
} cs_device;

typedef enum {
    CS_TOGGLE,
    CS_INTEGER,
    CS_NUMBER,
    CS_INTEGER_CHOICE,
    CS_CHOICE,
    CS_TEXT,
    CS_BUTTON
} cs_kind;

/* An option and its value now: `number` (a toggle is 0 or 1), or `text` for CS_CHOICE and CS_TEXT,
 * of at most 1,023 bytes. */
typedef struct {
    const char *name, *title; /* lower-case letters, digits and hyphens; words for people */
    cs_kind kind;
    double number;
    char text[1024];
    int has_default; /* 1 when there is a default value to show to people: one of the next two
                      */
    double default_number;
    const char *default_text;
    double minimum, maximum, step; /* no range when both ends are 0; `step` from the minimum, 0 for
                                      none; of CS_TEXT the most bytes, 1,023 for 0 */
    const char *const *choices;    /* of CS_CHOICE, ended by NULL */
    const int *numbers;            /* of CS_INTEGER_CHOICE, ended by 0 */
    const char *help, *group, *unit, *sensor;
    int inactive, read_only, advanced;
    int host_path; /* of CS_TEXT, 1 when it names a file or folder, which the network may never
                      choose */
} cs_option;

/* A camera's settings for a frame; start with CS_UNKNOWN for each field, which leaves it out. */
typedef struct {
    double exposure;    /* seconds */
    double gain;        /* the factor by which the signal was amplified, 1 for not at all */
    double focus;       /* diopters, 0 for infinity */
    double temperature; /* the sensor's, in degrees Celsius */
    double monotonic;   /* when it was exposed, in seconds of CLOCK_MONOTONIC */
} cs_metadata;
#define CS_UNKNOWN ((double)NAN)

/* A frame; fields may be 0 or NULL if unknown, except `format`, `width` and `height` (which may
 * be 0 for a page of unknown height). */
typedef struct {
    const char *format; /* "bilevel", "gray8", "gray16", "rgb8", "rgb16"; live also "yuyv", "uyvy",
                           "nv12", "jpeg" */
    int width, height, stride;
    double resolution;  /* dots per inch */
    const char *label;  /* such as "sheet 3, front" */
    int expected;       /* how many frames there will be in all */
    double time;        /* when it was exposed, in seconds; 0 for unknown */
    long capacity;      /* the most bytes a "jpeg" may take */
    const char *origin; /* "scan", "photo", "screenshot", "rendered" or "digital" */
    const char *size;   /* how well the resolution is known: "measured", "stated" or "guessed" */
    int edges; /* 1 when the picture's edges are the page's own, -1 when something lies about it */
    const char *const *problems; /* sentences for users about a page that can still be used, ended
                                    by NULL */
    const cs_metadata *metadata; /* of a camera */
} cs_frame;

typedef struct cs_list cs_list; /* takes devices */
typedef struct cs_sink cs_sink; /* takes frames */

typedef struct {
    const char *name, *version;
    /* Lists the devices that can be seen now with cs_add; with `quick`, those that are found
     * without waiting. */
    int (*devices)(cs_list *list, int quick);
    /* Opens a device; NULL after cs_fail("noSuchDevice", ...) when there is no device with that
       id. */
    void *(*open)(const char *id);
    /* Describes an open device that need not be listed. May be absent. */
    const cs_device *(*describe)(void *device);
    /* The device's own table of options, also for `set` and before a capture; NULL after cs_fail
     * when there is none now. May be absent. */
    cs_option *(*options)(void *device, size_t *count);
    /* Brings the sensors in the table up to date; called only when the host reads the options, so
     * that a press is reported once. May be absent. */
    int (*read)(void *device);
    /* Sends a checked value to the device; `option` is a copy that has it. Returns 1 if other
       options changed too, otherwise 0; in both cases, the value is then stored in the table.
       May be absent. */
    int (*changed)(void *device, const cs_option *option);
    /* Captures frames until the source is empty or `limit` (0: none) is reached; `live`: until
     * canceled. */
    int (*capture)(void *device, cs_sink *sink, int live, long limit);
    /* Called on another thread when the capture is canceled. Ends a call in which the capture
     * waits, such as by shutdown(2), and returns immediately without calling anything of this file.
     * Not needed if it only waits in cs_sleep. May be absent. */
    void (*cancel)(void *device);
    /* Releases the device; called once, after every capture has ended. May be absent. */
    void (*close)(void *device);
    /* Called on its own thread once the host is connected; may keep calling cs_added and
     * cs_removed. May be absent. */
    void (*watch)(void);
} cs_backend;

/* --- What you call --- */

/* Serves the backend to the host until it goes away; the result is main's. */
static int cs_run(const cs_backend *backend);
/* Reports a failure: a code of the protocol, and one sentence without a full stop. Always
   returns -1. */
__attribute__((format(printf, 2, 3))) static int cs_fail(const char *code, const char *format, ...);
/* Adds the next step to a failure, if you know more than the code says. Call it after cs_fail.
   Always returns -1. */
static int cs_advise(const char *advice);
/* Adds a device to a list. */
static void cs_add(cs_list *list, const cs_device *device);
/* Reports, after cs_fail, a problem that kept other devices from being found. The others are
   still listed. */
static void cs_problem(cs_list *list);
/* A device has come, has changed, or has gone. */
static void cs_added(const cs_device *device);
static void cs_updated(const cs_device *device);
static void cs_removed(const char *id);
/* An option of an open device has changed without the host, such as a button. */
static void cs_report(void *device, const cs_option *option);
/* A line for the host's log; `level` is "debug", "info", "warning" or "error". */
__attribute__((format(printf, 2, 3))) static void cs_log(
    const char *level, const char *format, ...);
/* The state of an option when the capture began, regardless of later changes; NULL if there is
 * no option with that name. */
static const cs_option *cs_setting(const cs_sink *sink, const char *name);
/* Announces a frame and waits until the host has room. Returns 0 if the frame can be written; 1
   for a live frame that the host drops, which only needs cs_finish; -1 if the capture is
   canceled; -2 if the frame is refused, for example as too large: then begin another frame, or
   skip the page. */
static int cs_begin(cs_sink *sink, const cs_frame *frame);
/* Adds bytes, top row first; they need not end at a row's end. */
static int cs_write(cs_sink *sink, const void *bytes, size_t count);
/* The memory for a whole frame; `filled` bytes of it must be written before cs_finish. For a
 * live frame, this is the host's memory. */
static void *cs_memory(cs_sink *sink, size_t filled);
/* Ends the frame. `original`: the JPEG that it was decoded from, or NULL. */
static int cs_finish(cs_sink *sink, const void *original, size_t count);
/* Reports a page that can't be captured, with the failure of the last cs_fail; later pages can
   still be captured. */
static int cs_skip(cs_sink *sink, const char *label);
/* Returns 1 once the capture is canceled: stop the device, and return the -1 of cs_sleep or
   cs_write. */
static int cs_cancelled(cs_sink *sink);
/* Waits; returns -1 as soon as the capture is canceled. */
static int cs_sleep(cs_sink *sink, double seconds);
/* Turns a path that the host sent, such as an id, into the bytes of the file's name, in place. */
static void cs_path(char *path);

/* --- Options that hosts know by name --- */

/* The option "resolution" (CS_INTEGER_CHOICE: give its `numbers`), "mode" (bilevel, gray and color,
 * unless it is given other `choices`), "source" or "paper" (give their `choices`), "area-left",
 * "area-top", "area-width" or "area-height" (give the `maximum`), "brightness" or "contrast". */
static cs_option cs_common(const char *name);
/* The format of pages in a mode; NULL if it is not a mode. `depth`: bits a sample, 8 or 16. */
static const char *cs_format(const char *mode, int depth);
/* The size of a sheet such as "a4" in millimeters, upright; returns -1 for an unknown name. */
static int cs_paper(const char *name, double *width, double *height);
/* A driver's value for a brightness or contrast: 0 percent is the middle of its range. */
static double cs_level(double percent, double lowest, double highest);

/* --- How it works: nothing below is for you to call --- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"

enum { CS_LINE = 1 << 20, CS_PIECE = 1 << 20, CS_GATHERED = 512 << 10, CS_MAPPINGS = 8 };

struct cs_error {
    char code[64], message[1024], advice[512];
};
static __thread struct cs_error cs_last;
static int cs_host = 3; /* the connection */

static int cs_fail(const char *code, const char *format, ...)
{
    va_list list;
    snprintf(cs_last.code, sizeof cs_last.code, "%s", code);
    cs_last.advice[0] = 0;
    va_start(list, format);
    vsnprintf(cs_last.message, sizeof cs_last.message, format, list);
    va_end(list);
    return -1;
}

static int cs_advise(const char *advice)
{
    snprintf(cs_last.advice, sizeof cs_last.advice, "%s", advice);
    return -1;
}

/* Text that grows. */
typedef struct {
    char *bytes;
    size_t count, room;
} cs_text;

static void cs_append(cs_text *text, const char *bytes, size_t count)
{
    if (text->count + count + 1 > text->room) {
        text->room = (text->count + count + 1) * 2;
        if (!(text->bytes = realloc(text->bytes, text->room))) abort();
    }
    memcpy(text->bytes + text->count, bytes, count);
    text->count += count;
    text->bytes[text->count] = 0;
}

static void cs_put(cs_text *text, const char *string) { cs_append(text, string, strlen(string)); }

static void cs_put_number(cs_text *text, double number)
{
    char digits[64];
    if (!isfinite(number)) number = 0;
    if (number == floor(number) && fabs(number) < 1e15)
        snprintf(digits, sizeof digits, "%.0f", number);
    else
        snprintf(digits, sizeof digits, "%.17g", number);
    for (char *c = digits; *c; c++)
        if (*c == ',') *c = '.'; /* a locale's point */
    cs_put(text, digits);
}

/* The bytes of the UTF-8 sequence at `s`; 0 if it is invalid. */
static int cs_utf8(const unsigned char *s)
{
    int count = s[0] < 0x80                   ? 1
                : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
                : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
                : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                              : 0;
    for (int i = 1; i < count; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
        (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return count;
}

static void cs_put_string(cs_text *text, const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    cs_put(text, "\"");
    while (*s) {
        char escape[8];
        int count = cs_utf8(s);
        if (*s < 0x20 || *s == '"' || *s == '\\') {
            snprintf(escape, sizeof escape, "\\u%04x", *s);
            cs_put(text, escape);
        } else if (count)
            cs_append(text, (const char *)s, (size_t)count);
        else
            cs_put(text, "?");
        s += count ? count : 1;
    }
    cs_put(text, "\"");
}

/* Adds `,"name":` to an object. */
static void cs_key(cs_text *text, const char *name)
{
    char last = text->count ? text->bytes[text->count - 1] : 0;
    if (last && last != '{' && last != '[') cs_put(text, ",");
    cs_put_string(text, name);
    cs_put(text, ":");
}
static void cs_field(cs_text *text, const char *name, const char *value)
{
    if (value) {
        cs_key(text, name);
        cs_put_string(text, value);
    }
}
static void cs_number_field(cs_text *text, const char *name, double value)
{
    cs_key(text, name);
    cs_put_number(text, value);
}

/* --- Reading JSON: the host's objects, in which nothing deeper than `error` is needed
 * --- */

static const char *cs_blank(const char *s)
{
    while (*s && strchr(" \t\r\n", *s)) s++;
    return s;
}

/* The end of the value at `s`; NULL if the value is invalid. */
static const char *cs_past(const char *s)
{
    int depth = 0;
    for (s = cs_blank(s); *s; s++) {
        if (*s == '"') {
            for (s++; *s && *s != '"'; s++)
                if (*s == '\\' && !*++s) return NULL;
            if (!*s) return NULL;
        } else if (*s == '{' || *s == '[')
            depth++;
        else if (*s == '}' || *s == ']') {
            if (--depth < 0) return s;
        } else if (*s == ',' && !depth)
            return s;
        else if (*s == ':' && !depth)
            return s;
        if (!depth && (*s == '"' || *s == '}' || *s == ']')) return s + 1;
    }
    return depth ? NULL : s;
}

/* The value of a field of the object at `s`; NULL when it has none. */
static const char *cs_find(const char *s, const char *name)
{
    size_t length = strlen(name);
    if (!s || *(s = cs_blank(s)) != '{') return NULL;
    for (s = cs_blank(s + 1); *s == '"';) {
        const char *key = s + 1, *end = cs_past(s);
        if (!end || *(s = cs_blank(end)) != ':') return NULL;
        s = cs_blank(s + 1);
        if ((size_t)(end - 1 - key) == length && !memcmp(key, name, length)) return s;
        if (!(s = cs_past(s))) return NULL;
        s = cs_blank(s);
        if (*s == ',') s = cs_blank(s + 1);
    }
    return NULL;
}

static long cs_find_long(const char *s, const char *name, long otherwise)
{
    const char *value = cs_find(s, name);
    return value && (*value == '-' || (*value >= '0' && *value <= '9')) ? strtol(value, NULL, 10)
                                                                        : otherwise;
}

static unsigned cs_hex4(const char *s)
{
    char digits[5] = {0};
    for (int i = 0; i < 4; i++) {
        if (!s[i]) return 0xFFFD;
        digits[i] = s[i];
    }
    return (unsigned)strtoul(digits, NULL, 16);
}

/* The text of a field, without its escapes, to be freed; NULL if it is not text. */
static char *cs_find_text(const char *s, const char *name)
{
    const char *value = cs_find(s, name);
    cs_text out = {0};
    if (!value || *value != '"') return NULL;
    cs_append(&out, "", 0);
    for (s = value + 1; *s && *s != '"'; s++) {
        static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
        char c = *s;
        if (c == '\\') {
            c = *++s;
            const char *place = c ? strchr(from, c) : NULL;
            if (!c) break;
            if (c == 'u') {
                unsigned code = cs_hex4(s + 1);
                char bytes[5] = {0};
                s += strnlen(s + 1, 4);
                if (code >= 0xD800 && code < 0xDC00 && s[1] == '\\' && s[2] == 'u') {
                    code = 0x10000 + ((code - 0xD800) << 10) + (cs_hex4(s + 3) - 0xDC00);
                    s += 2 + strnlen(s + 3, 4);
                }
                if (code < 0x80)
                    bytes[0] = (char)code;
                else if (code < 0x800) {
                    bytes[0] = (char)(0xC0 | code >> 6);
                    bytes[1] = (char)(0x80 | (code & 63));
                } else if (code < 0x10000) {
                    bytes[0] = (char)(0xE0 | code >> 12);
                    bytes[1] = (char)(0x80 | (code >> 6 & 63));
                    bytes[2] = (char)(0x80 | (code & 63));
                } else {
                    bytes[0] = (char)(0xF0 | (code >> 18 & 7));
                    bytes[1] = (char)(0x80 | (code >> 12 & 63));
                    bytes[2] = (char)(0x80 | (code >> 6 & 63));
                    bytes[3] = (char)(0x80 | (code & 63));
                }
                cs_put(&out, bytes);
                continue;
            }
            if (place) c = to[place - from];
        }
        cs_append(&out, &c, 1);
    }
    return out.bytes;
}

/* --- The connection --- */

struct cs_request {
    struct cs_request *next;
    long id;
    char *verb, *line;
    int descriptor;
};

/* An open device: its requests run one after the other on a thread, with a capture in parallel. */
struct cs_lane {
    struct cs_lane *next;
    long handle;
    void *device;
    struct cs_request *first, *last;
    pthread_t capture;
    int has_capture; /* there is a thread to be joined */
    struct cs_sink *sink;
};

struct cs_sink {
    struct cs_sink *next;
    struct cs_lane *lane;
    long capture, limit, number, finished;
    int live, is_cancelled, is_open;
    cs_option *settings;
    size_t setting_count;
    cs_frame frame;
    /* The host's answer to a frame. */
    int has_answer, way, descriptor;
    size_t most, written;
    off_t offset;
    struct cs_error refusal;
    /* Either the host's memory, which is used for many frames, or memory of our own. */
    struct {
        dev_t device;
        ino_t file;
        void *bytes;
        size_t count;
    } mappings[CS_MAPPINGS];
    int next_mapping;
    char *staging;
    size_t staged;
    /* Small writes are gathered, so that a few messages carry many rows; slow ones are sent on as
     * they come. */
    char *gathered;
    size_t gathered_count;
    struct timespec last_flush;
};
enum { CS_INLINE, CS_FD, CS_DROP, CS_REFUSED };

static const cs_backend *cs_backend_now;
static pthread_mutex_t cs_lock = PTHREAD_MUTEX_INITIALIZER, cs_sending = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cs_news;
static struct cs_lane *cs_lanes;
static struct cs_sink *cs_sinks;
static long cs_handles;

static int cs_send_all(const void *bytes, size_t count)
{
    while (count) {
        ssize_t sent = send(cs_host, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return cs_fail("inputOutput", "the host is gone");
        bytes = (const char *)bytes + sent;
        count -= (size_t)sent;
    }
    return 0;
}

/* Ends the object, sends it with the bytes that follow it, and frees it. */
static int cs_send(cs_text *text, const void *bytes, size_t count)
{
    if (count) cs_number_field(text, "bytes", (double)count);
    cs_put(text, "}\n");
    pthread_mutex_lock(&cs_sending); /* a message and its bytes stay together */
    int result = cs_send_all(text->bytes, text->count);
    if (!result && count) result = cs_send_all(bytes, count);
    pthread_mutex_unlock(&cs_sending);
    free(text->bytes);
    return result;
}

static cs_text cs_event(const char *name)
{
    cs_text text = {0};
    cs_put(&text, "{");
    cs_field(&text, "event", name);
    return text;
}

static void cs_put_failure(cs_text *text)
{
    cs_put(text, "{");
    cs_field(text, "code", cs_last.code[0] ? cs_last.code : "internalFault");
    cs_field(text, "message",
        cs_last.code[0] ? cs_last.message : "the backend failed and did not say why");
    cs_field(text, "advice", cs_last.code[0] && cs_last.advice[0] ? cs_last.advice : NULL);
    cs_put(text, "}");
}

static void cs_put_error(cs_text *text)
{
    cs_key(text, "error");
    cs_put_failure(text);
}

static cs_text cs_answer(long id)
{
    cs_text text = {0};
    cs_put(&text, "{");
    cs_number_field(&text, "answer", (double)id);
    return text;
}

/* Answers with the failure of the last cs_fail. */
static void cs_refuse(long id)
{
    cs_text text = cs_answer(id);
    cs_put_error(&text);
    cs_send(&text, NULL, 0);
}

static void cs_put_device(cs_text *text, const cs_device *device)
{
    cs_put(text, "{");
    cs_field(text, "id", device->id);
    cs_field(text, "name", device->name);
    cs_field(text, "kind", device->kind);
    cs_field(text, "vendor", device->vendor);
    cs_field(text, "model", device->model);
    cs_field(text, "connection", device->connection);
    cs_field(text, "state", device->state);
    cs_field(text, "advice", device->advice);
    if (device->sources[0]) {
        cs_key(text, "sources");
        cs_put(text, "[");
        for (int i = 0; i < 8 && device->sources[i]; i++) {
            if (i) cs_put(text, ",");
            cs_put_string(text, device->sources[i]);
        }
        cs_put(text, "]");
    }
    if (device->width > 0 && device->height > 0) {
        cs_key(text, "maximumArea");
        cs_put(text, "{");
        cs_number_field(text, "width", device->width);
        cs_number_field(text, "height", device->height);
        cs_put(text, "}");
    }
    cs_put(text, "}");
}

struct cs_list {
    cs_text text, problems;
};

static void cs_add(cs_list *list, const cs_device *device)
{
    if (list->text.bytes[list->text.count - 1] != '[') cs_put(&list->text, ",");
    cs_put_device(&list->text, device);
}

static void cs_problem(cs_list *list)
{
    cs_put(&list->problems, list->problems.count ? "," : "[");
    cs_put_failure(&list->problems);
}

static void cs_tell_device(const char *event, const cs_device *device)
{
    cs_text text = cs_event(event);
    cs_key(&text, "device");
    cs_put_device(&text, device);
    cs_send(&text, NULL, 0);
}

static void cs_added(const cs_device *device) { cs_tell_device("deviceAdded", device); }
static void cs_updated(const cs_device *device) { cs_tell_device("deviceChanged", device); }

static void cs_removed(const char *id)
{
    cs_text text = cs_event("deviceRemoved");
    cs_field(&text, "id", id);
    cs_send(&text, NULL, 0);
}

static void cs_log(const char *level, const char *format, ...)
{
    char message[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    cs_text text = cs_event("log");
    cs_field(&text, "level", level);
    cs_field(&text, "message", message);
    cs_send(&text, NULL, 0);
}

/* --- Frames --- */

static size_t cs_row(const char *format, size_t width)
{
    if (!strcmp(format, "bilevel")) return (width + 7) / 8;
    if (!strcmp(format, "gray8")) return width;
    if (!strcmp(format, "gray16")) return width * 2;
    if (!strcmp(format, "rgb8")) return width * 3;
    if (!strcmp(format, "rgb16")) return width * 6;
    if (!strcmp(format, "yuyv") || !strcmp(format, "uyvy")) return (width + 1) / 2 * 4;
    if (!strcmp(format, "nv12")) return (width + 1) / 2 * 2;
    return 0;
}

static size_t cs_stride(const cs_sink *sink)
{
    return sink->frame.stride ? (size_t)sink->frame.stride
                              : cs_row(sink->frame.format, (size_t)sink->frame.width);
}

/* Whole rows written so far; the last one needs no padding. */
static size_t cs_rows(const cs_sink *sink)
{
    size_t stride = cs_stride(sink), most = sink->frame.height ? (size_t)sink->frame.height : 65535,
           rows;
    if (!stride) return 0;
    rows = sink->written / stride +
           (sink->written % stride >= cs_row(sink->frame.format, (size_t)sink->frame.width));
    return rows < most ? rows : most;
}

static int cs_cancelled(cs_sink *sink)
{
    pthread_mutex_lock(&cs_lock);
    int result = sink->is_cancelled;
    pthread_mutex_unlock(&cs_lock);
    return result;
}

static const cs_option *cs_setting(const cs_sink *sink, const char *name)
{
    for (size_t i = 0; i < sink->setting_count; i++)
        if (!strcmp(sink->settings[i].name, name)) return &sink->settings[i];
    fprintf(stderr, "cs_setting: there is no option '%s'\n", name);
    return NULL;
}

static int cs_check(cs_sink *sink)
{ return cs_cancelled(sink) ? cs_fail("cancelled", "the capture was canceled") : 0; }

static void cs_path(char *path)
{
    unsigned char *to = (unsigned char *)path;
    for (const unsigned char *s = to; *s;) {
        int byte = -1;
        if (s[0] == 0xF4 && s[1] == 0x8F && (s[2] & 0xFC) == 0xBC && (s[3] & 0xC0) == 0x80)
            byte = (s[2] & 3) << 6 | (s[3] & 0x3F);
        if (byte == 0 || (byte >= 0x20 && byte < 0x7F)) byte = -1;
        *to++ = byte < 0 ? *s : (unsigned char)byte;
        s += byte < 0 ? 1 : 4;
    }
    *to = 0;
}

static int cs_sleep(cs_sink *sink, double seconds)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)seconds;
    end.tv_nsec += (long)((seconds - floor(seconds)) * 1e9);
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&cs_lock);
    while (!sink->is_cancelled && pthread_cond_timedwait(&cs_news, &cs_lock, &end) != ETIMEDOUT) {}
    pthread_mutex_unlock(&cs_lock);
    return cs_check(sink);
}

static cs_text cs_frame_event(const cs_sink *sink, const char *name)
{
    cs_text text = cs_event(name);
    cs_number_field(&text, "capture", (double)sink->capture);
    cs_number_field(&text, "frame", (double)sink->number);
    return text;
}

static void cs_over(cs_sink *sink, int counts)
{
    if (sink->descriptor >= 0) close(sink->descriptor);
    sink->descriptor = -1;
    sink->is_open = 0;
    sink->number++;
    sink->finished += counts;
}

/* Fields that few frames have. */
static void cs_put_more(cs_text *text, const cs_frame *frame)
{
    if (frame->problems && frame->problems[0]) {
        cs_key(text, "problems");
        cs_put(text, "[");
        for (int i = 0; i < 100 && frame->problems[i]; i++) {
            if (i) cs_put(text, ",");
            cs_put_string(text, frame->problems[i]);
        }
        cs_put(text, "]");
    }
    if (frame->metadata) {
        const cs_metadata *known = frame->metadata;
        cs_key(text, "metadata");
        cs_put(text, "{");
        if (isfinite(known->exposure)) cs_number_field(text, "exposure", known->exposure);
        if (isfinite(known->gain)) cs_number_field(text, "gain", known->gain);
        if (isfinite(known->focus)) cs_number_field(text, "focus", known->focus);
        if (isfinite(known->temperature)) cs_number_field(text, "temperature", known->temperature);
        if (isfinite(known->monotonic)) cs_number_field(text, "monotonic", known->monotonic);
        cs_put(text, "}");
    }
}

static int cs_begin(cs_sink *sink, const cs_frame *frame)
{
    if (cs_check(sink)) return -1;
    if (sink->is_open)
        return cs_fail("internalFault", "frame %ld was started and not finished", sink->number);
    if (sink->limit && sink->finished >= sink->limit)
        return cs_fail("internalFault", "a frame was begun after the last of %ld", sink->limit);
    sink->frame = *frame;
    sink->written = sink->staged = sink->gathered_count = 0;
    clock_gettime(CLOCK_MONOTONIC, &sink->last_flush);
    cs_text text = cs_frame_event(sink, "frame");
    cs_field(&text, "format", frame->format);
    cs_number_field(&text, "width", frame->width);
    if (frame->height) cs_number_field(&text, "height", frame->height);
    if (frame->stride) cs_number_field(&text, "stride", frame->stride);
    if (frame->resolution > 0) {
        cs_key(&text, "resolution");
        cs_put(&text, "{");
        cs_number_field(&text, "x", frame->resolution);
        cs_number_field(&text, "y", frame->resolution);
        cs_put(&text, "}");
    }
    cs_field(&text, "label", frame->label);
    if (frame->expected) cs_number_field(&text, "expected", frame->expected);
    if (frame->time != 0) cs_number_field(&text, "time", frame->time);
    if (frame->capacity) cs_number_field(&text, "capacity", (double)frame->capacity);
    if (frame->origin || frame->size || frame->edges) {
        cs_key(&text, "facts");
        cs_put(&text, "{");
        cs_field(&text, "origin", frame->origin);
        cs_field(&text, "size", frame->size);
        if (frame->edges) {
            cs_key(&text, "edgesArePaper");
            cs_put(&text, frame->edges > 0 ? "true" : "false");
        }
        cs_put(&text, "}");
    }
    cs_put_more(&text, frame);
    pthread_mutex_lock(&cs_lock);
    sink->has_answer = 0;
    pthread_mutex_unlock(&cs_lock);
    if (cs_send(&text, NULL, 0)) return -1;
    pthread_mutex_lock(&cs_lock);
    while (!sink->has_answer && !sink->is_cancelled) pthread_cond_wait(&cs_news, &cs_lock);
    int has_answer = sink->has_answer;
    if (has_answer && sink->way == CS_REFUSED) cs_last = sink->refusal;
    pthread_mutex_unlock(&cs_lock);
    if (!has_answer) return cs_fail("cancelled", "the capture was canceled");
    if (sink->way == CS_REFUSED) return -2;
    sink->is_open = 1;
    return sink->way == CS_DROP;
}

static int cs_store(cs_sink *sink, const char *bytes, size_t count)
{
    while (count) {
        size_t piece = count < CS_PIECE ? count : CS_PIECE;
        if (sink->way == CS_INLINE) {
            cs_text text = cs_frame_event(sink, "pixels");
            if (cs_send(&text, bytes, piece)) return -1;
        } else {
            ssize_t stored =
                pwrite(sink->descriptor, bytes, piece, sink->offset + (off_t)sink->written);
            if (stored < 0 && errno == EINTR) continue;
            if (stored <= 0)
                return cs_fail(
                    "inputOutput", "frame %ld can't be stored: %s", sink->number, strerror(errno));
            piece = (size_t)stored;
        }
        sink->written += piece;
        bytes += piece;
        count -= piece;
        if (sink->way == CS_FD && strcmp(sink->frame.format, "jpeg")) {
            cs_text text = cs_frame_event(sink, "progress");
            cs_number_field(&text, "rows", (double)cs_rows(sink));
            if (cs_send(&text, NULL, 0)) return -1;
        }
    }
    return 0;
}

static int cs_flush(cs_sink *sink)
{
    size_t count = sink->gathered_count;
    sink->gathered_count = 0;
    clock_gettime(CLOCK_MONOTONIC, &sink->last_flush);
    return cs_store(sink, sink->gathered, count);
}

static int cs_write(cs_sink *sink, const void *bytes, size_t count)
{
    struct timespec now;
    if (cs_check(sink)) return -1;
    if (!sink->is_open)
        return cs_fail("internalFault", "pixels were written before a frame was begun");
    if (sink->way == CS_DROP) return 0;
    if (count > sink->most - sink->written - sink->gathered_count)
        return cs_fail("tooLarge", "frame %ld has more bytes than the %zu that were announced",
            sink->number, sink->most);
    if (count >= CS_GATHERED) return cs_flush(sink) ? -1 : cs_store(sink, bytes, count);
    if (!sink->gathered && !(sink->gathered = malloc(2 * CS_GATHERED)))
        return cs_fail("outOfMemory", "there is no memory for a frame");
    memcpy(sink->gathered + sink->gathered_count, bytes, count);
    sink->gathered_count += count;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double waited = (double)(now.tv_sec - sink->last_flush.tv_sec) +
                    (double)(now.tv_nsec - sink->last_flush.tv_nsec) / 1e9;
    return sink->gathered_count >= CS_GATHERED || waited > 0.25 ? cs_flush(sink) : 0;
}

static void *cs_memory(cs_sink *sink, size_t filled)
{
    struct stat file;
    if (cs_check(sink)) return NULL;
    if (!sink->is_open || sink->written || sink->gathered_count || filled > sink->most || !filled) {
        cs_fail(
            "internalFault", "frame %ld has no place for %zu bytes at once", sink->number, filled);
        return NULL;
    }
    sink->staged = filled;
    if (sink->live && sink->way == CS_FD && !fstat(sink->descriptor, &file) &&
        (size_t)file.st_size >= filled) {
        for (int i = 0; i < CS_MAPPINGS; i++)
            if (sink->mappings[i].bytes && sink->mappings[i].device == file.st_dev &&
                sink->mappings[i].file == file.st_ino)
                return sink->mappings[i].bytes;
        int place = sink->next_mapping++ % CS_MAPPINGS;
        if (sink->mappings[place].bytes)
            munmap(sink->mappings[place].bytes, sink->mappings[place].count);
        sink->mappings[place].bytes = NULL;
        void *bytes = mmap(
            NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, sink->descriptor, 0);
        if (bytes != MAP_FAILED) {
            sink->mappings[place].bytes = bytes;
            sink->mappings[place].count = (size_t)file.st_size;
            sink->mappings[place].device = file.st_dev;
            sink->mappings[place].file = file.st_ino;
            return bytes;
        }
    }
    free(sink->staging);
    if (!(sink->staging = malloc(filled)))
        cs_fail("outOfMemory", "there is no memory for %zu bytes", filled);
    return sink->staging;
}

static int cs_finish(cs_sink *sink, const void *original, size_t count)
{
    if (cs_check(sink)) return -1;
    if (!sink->is_open) return cs_fail("internalFault", "a frame was finished before it was begun");
    if (sink->way == CS_DROP) return cs_over(sink, 0), 0;
    if (cs_flush(sink)) return -1;
    if (sink->staging && sink->staged && cs_store(sink, sink->staging, sink->staged)) return -1;
    if (!sink->staging) sink->written += sink->staged;
    free(sink->staging);
    sink->staging = NULL;
    int is_jpeg = !strcmp(sink->frame.format, "jpeg");
    size_t rows = sink->frame.height ? (size_t)sink->frame.height : cs_rows(sink), least = 1;
    if (!is_jpeg && rows) {
        size_t color = strcmp(sink->frame.format, "nv12") ? 0 : (rows + 1) / 2;
        least = cs_stride(sink) * (rows + color - 1) +
                cs_row(sink->frame.format, (size_t)sink->frame.width);
    }
    if (!rows || sink->written < least)
        return cs_fail("damagedData", "frame %ld is incomplete: %zu of %zu bytes came",
            sink->number, sink->written, least);
    cs_text text = cs_frame_event(sink, "done");
    cs_number_field(&text, "rows", (double)rows);
    if (is_jpeg) cs_number_field(&text, "length", (double)sink->written);
    if (original) cs_field(&text, "mediaType", "image/jpeg");
    if (cs_send(&text, original, original ? count : 0)) return -1;
    cs_over(sink, 1);
    return 0;
}

static int cs_skip(cs_sink *sink, const char *label)
{
    struct cs_error why = cs_last;
    if (cs_check(sink)) return -1;
    cs_last = why;
    cs_text text = cs_frame_event(sink, "skipped");
    cs_field(&text, "label", label);
    cs_put_error(&text);
    if (cs_send(&text, NULL, 0)) return -1;
    cs_over(sink, 0);
    return 0;
}

/* --- Options --- */

static void cs_put_value(
    cs_text *text, const char *name, cs_kind kind, double number, const char *words)
{
    if (kind == CS_BUTTON) return;
    cs_key(text, name);
    if (kind == CS_TEXT || kind == CS_CHOICE)
        cs_put_string(text, words ? words : "");
    else if (kind == CS_TOGGLE)
        cs_put(text, number != 0 ? "true" : "false");
    else
        cs_put_number(text, number);
}

/* The most bytes of a text. */
static size_t cs_longest(const cs_option *option)
{
    size_t room = sizeof option->text - 1;
    return option->maximum > 0 && option->maximum < (double)room ? (size_t)option->maximum : room;
}

static void cs_put_option(cs_text *text, const cs_option *option)
{
    static const char *const kinds[] = {
        "toggle", "integer", "number", "integerChoice", "choice", "text", "button"};
    cs_put(text, "{");
    cs_field(text, "name", option->name);
    cs_field(text, "title", option->title);
    cs_field(text, "help", option->help);
    cs_field(text, "group", option->group);
    cs_field(text, "unit", option->unit);
    cs_field(text, "sensor", option->sensor);
    cs_key(text, "type");
    cs_put(text, "{");
    cs_field(text, "kind", kinds[option->kind]);
    if ((option->kind == CS_INTEGER || option->kind == CS_NUMBER) &&
        (option->minimum != 0 || option->maximum != 0)) {
        cs_number_field(text, "minimum", option->minimum);
        cs_number_field(text, "maximum", option->maximum);
    }
    if ((option->kind == CS_INTEGER || option->kind == CS_NUMBER) && option->step > 0)
        cs_number_field(text, "step", option->step);
    if (option->kind == CS_TEXT) cs_number_field(text, "maximumLength", (double)cs_longest(option));
    if (option->kind == CS_CHOICE || option->kind == CS_INTEGER_CHOICE) {
        cs_key(text, "choices");
        cs_put(text, "[");
        for (int i = 0;
            option->kind == CS_CHOICE ? option->choices[i] != NULL : option->numbers[i] != 0; i++) {
            if (i) cs_put(text, ",");
            if (option->kind == CS_CHOICE)
                cs_put_string(text, option->choices[i]);
            else
                cs_put_number(text, option->numbers[i]);
        }
        cs_put(text, "]");
    }
    cs_put(text, "}");
    cs_put_value(text, "value", option->kind, option->number, option->text);
    if (option->has_default)
        cs_put_value(
            text, "defaultValue", option->kind, option->default_number, option->default_text);
    if (option->inactive) {
        cs_key(text, "isActive");
        cs_put(text, "false");
    }
    if (option->read_only) {
        cs_key(text, "isReadOnly");
        cs_put(text, "true");
    }
    if (option->advanced) {
        cs_key(text, "isAdvanced");
        cs_put(text, "true");
    }
    if (option->host_path) {
        cs_key(text, "hostPath");
        cs_put(text, "true");
    }
    cs_put(text, "}");
}

/* Reads the request's value into the option; -1 if the option does not accept it. */
static int cs_take_value(const char *line, cs_option *option)
{
    const char *value = cs_find(line, "value");
    int is_number = value && (*value == '-' || (*value >= '0' && *value <= '9')),
        fits = option->kind == CS_BUTTON;
    double number = is_number ? strtod(value, NULL) : 0;
    char *text = cs_find_text(line, "value");
    int is_whole = is_number && number == floor(number),
        has_range = option->minimum != 0 || option->maximum != 0;
    int is_within = !has_range || (number >= option->minimum && number <= option->maximum);
    switch (option->kind) {
    case CS_TOGGLE:
        number = value && !strncmp(value, "true", 4);
        fits = number != 0 || (value && !strncmp(value, "false", 5));
        break;
    case CS_INTEGER:
        fits = is_whole && is_within &&
               (option->step <= 0 ||
                   fmod(number - (has_range ? option->minimum : 0), option->step) == 0);
        break;
    case CS_NUMBER:
        fits = is_number && is_within;
        if (option->step > 0) {
            double start = has_range ? option->minimum : 0, steps = (number - start) / option->step;
            fits = fits && fabs(steps - round(steps)) < 1e-6;
        }
        break;
    case CS_INTEGER_CHOICE:
        for (int i = 0; option->numbers[i]; i++) fits |= is_whole && option->numbers[i] == number;
        break;
    case CS_CHOICE:
        for (int i = 0; text && option->choices[i]; i++) fits |= !strcmp(text, option->choices[i]);
        break;
    case CS_TEXT: fits = text && strlen(text) <= cs_longest(option); break;
    case CS_BUTTON: break;
    }
    if (fits) {
        option->number = number;
        if (text) snprintf(option->text, sizeof option->text, "%s", text);
    } else
        cs_fail("invalidValue", "option '%s' does not take %.*s", option->name,
            value ? (int)strcspn(value, "\n") > 60
                        ? 60
                        : (int)(cs_past(value) ? cs_past(value) - value : 0)
                  : 7,
            value ? value : "nothing");
    free(text);
    return fits ? 0 : -1;
}

/* The device's table of options; -1 when it has failed. */
static int cs_table(struct cs_lane *lane, cs_option **options, size_t *count)
{
    *count = 0;
    *options = NULL;
    if (!cs_backend_now->options) return 0;
    cs_last.code[0] = 0;
    *options = cs_backend_now->options(lane->device, count);
    if (*options) return 0;
    *count = 0;
    return cs_last.code[0] ? -1 : 0;
}

static void cs_serve_options(struct cs_lane *lane, long id)
{
    size_t count;
    cs_option *options;
    if ((cs_backend_now->read && cs_backend_now->read(lane->device) < 0) ||
        cs_table(lane, &options, &count)) {
        cs_refuse(id);
        return;
    }
    cs_text text = cs_answer(id);
    cs_key(&text, "options");
    cs_put(&text, "[");
    for (size_t i = 0; i < count; i++) {
        if (i) cs_put(&text, ",");
        cs_put_option(&text, &options[i]);
    }
    cs_put(&text, "]");
    cs_send(&text, NULL, 0);
}

static void cs_serve_set(struct cs_lane *lane, long id, const char *line)
{
    size_t count;
    cs_option *options, *option = NULL;
    if (cs_table(lane, &options, &count)) {
        cs_refuse(id);
        return;
    }
    char *name = cs_find_text(line, "option");
    for (size_t i = 0; name && i < count; i++)
        if (!strcmp(options[i].name, name)) option = &options[i];
    int reload =
        option ? 0 : cs_fail("noSuchOption", "no option is called '%.100s'", name ? name : "");
    free(name);
    if (option) {
        cs_option changed = *option;
        reload =
            option->read_only
                ? cs_fail("invalidValue", "option '%s' can only be read", option->name)
            : option->inactive
                ? cs_fail("invalidValue",
                      "option '%s' has no effect with the current values of the other options",
                      option->name)
                : cs_take_value(line, &changed);
        if (!reload && cs_backend_now->changed)
            reload = cs_backend_now->changed(lane->device, &changed);
        if (reload >= 0) {
            option->number = changed.number;
            memcpy(option->text, changed.text, sizeof option->text);
        }
    }
    if (reload < 0) {
        cs_refuse(id);
        return;
    }
    cs_text text = cs_answer(id);
    cs_put_value(&text, "value", option->kind, option->number, option->text);
    cs_key(&text, "reloadOptions");
    cs_put(&text, reload ? "true" : "false");
    cs_send(&text, NULL, 0);
}

static void cs_report(void *device, const cs_option *option)
{
    long handle = 0;
    pthread_mutex_lock(&cs_lock);
    for (struct cs_lane *lane = cs_lanes; lane; lane = lane->next)
        if (lane->device == device) handle = lane->handle;
    pthread_mutex_unlock(&cs_lock);
    if (!handle) return;
    cs_text text = cs_event("optionChanged");
    cs_number_field(&text, "handle", (double)handle);
    cs_field(&text, "option", option->name);
    cs_put_value(&text, "value", option->kind, option->number, option->text);
    cs_send(&text, NULL, 0);
}

/* --- Options that hosts know by name --- */

static cs_option cs_common(const char *name)
{
    static const char *const modes[] = {"bilevel", "gray", "color", NULL};
    static const cs_option known[] = {
        {.name = "resolution", .title = "Resolution", .kind = CS_INTEGER_CHOICE, .unit = "dpi"},
        {.name = "mode", .title = "Mode", .kind = CS_CHOICE, .text = "color", .choices = modes},
        {.name = "source", .title = "Source", .kind = CS_CHOICE},
        {.name = "paper", .title = "Paper", .kind = CS_CHOICE},
        {.name = "area-left", .title = "Area: left", .kind = CS_NUMBER, .unit = "millimetres"},
        {.name = "area-top", .title = "Area: top", .kind = CS_NUMBER, .unit = "millimetres"},
        {.name = "area-width", .title = "Area: width", .kind = CS_NUMBER, .unit = "millimetres"},
        {.name = "area-height", .title = "Area: height", .kind = CS_NUMBER, .unit = "millimetres"},
        {.name = "brightness", .title = "Brightness", .kind = CS_NUMBER, .unit = "percent",
            .minimum = -100, .maximum = 100},
        {.name = "contrast", .title = "Contrast", .kind = CS_NUMBER, .unit = "percent",
            .minimum = -100, .maximum = 100},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) return known[i];
    fprintf(stderr, "cs_common: hosts know no option '%s'\n", name);
    abort();
}

static const char *cs_format(const char *mode, int depth)
{
    if (!strcmp(mode, "bilevel")) return "bilevel";
    if (!strcmp(mode, "gray")) return depth > 8 ? "gray16" : "gray8";
    if (!strcmp(mode, "color")) return depth > 8 ? "rgb16" : "rgb8";
    return NULL;
}

static int cs_paper(const char *name, double *width, double *height)
{
    static const struct {
        const char *name;
        double width, height;
    } sheets[] = {{"a3", 297, 420}, {"a4", 210, 297}, {"a5", 148, 210}, {"a6", 105, 148},
        {"b4", 250, 353}, {"b5", 176, 250}, {"jis-b4", 257, 364}, {"jis-b5", 182, 257},
        {"letter", 215.9, 279.4}, {"legal", 215.9, 355.6}, {"tabloid", 279.4, 431.8},
        {"executive", 184.15, 266.7}, {"half-letter", 139.7, 215.9}, {"card", 85.6, 53.98},
        {"photo-10x15", 101.6, 152.4}};
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++)
        if (!strcmp(sheets[i].name, name)) {
            *width = sheets[i].width;
            *height = sheets[i].height;
            return 0;
        }
    return -1;
}

static double cs_level(double percent, double lowest, double highest)
{
    percent = percent < -100 ? -100 : percent > 100 ? 100 : percent;
    return lowest + (percent + 100) / 200 * (highest - lowest);
}

/* --- Requests --- */

static void cs_thread(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, argument)) abort();
    pthread_detach(thread);
}

static void *cs_capture_thread(void *argument)
{
    cs_sink *sink = argument;
    cs_last.code[0] = 0;
    int result = cs_check(sink);
    if (!result && sink->refusal.code[0]) {
        cs_last = sink->refusal;
        result = -1;
    }
    if (!result) {
        cs_last.code[0] = 0;
        result = cs_backend_now->capture(sink->lane->device, sink, sink->live, sink->limit);
    }
    if (result >= 0 && sink->is_open)
        result = cs_fail("internalFault", "frame %ld was started and not finished", sink->number);
    if (result < 0 && cs_cancelled(sink)) cs_fail("cancelled", "the capture was canceled");
    pthread_mutex_lock(&cs_lock);
    for (cs_sink **place = &cs_sinks; *place; place = &(*place)->next)
        if (*place == sink) {
            *place = sink->next;
            break;
        }
    sink->lane->sink = NULL;
    pthread_mutex_unlock(&cs_lock);
    for (int i = 0; i < CS_MAPPINGS; i++)
        if (sink->mappings[i].bytes) munmap(sink->mappings[i].bytes, sink->mappings[i].count);
    if (sink->descriptor >= 0) close(sink->descriptor);
    free(sink->staging);
    free(sink->gathered);
    free(sink->settings);
    long id = sink->capture;
    free(sink);
    if (result < 0)
        cs_refuse(id);
    else {
        cs_text text = cs_answer(id);
        cs_send(&text, NULL, 0);
    }
    return NULL;
}

/* Copies the options for a capture, since the host may set them while the capture reads them. */
static void cs_keep_settings(struct cs_lane *lane, cs_sink *sink)
{
    cs_option *options;
    if (cs_table(lane, &options, &sink->setting_count)) sink->refusal = cs_last;
    if (!sink->setting_count) return;
    if (!(sink->settings = malloc(sink->setting_count * sizeof *options))) abort();
    memcpy(sink->settings, options, sink->setting_count * sizeof *options);
}

static void cs_join_capture(struct cs_lane *lane)
{
    if (lane->has_capture) pthread_join(lane->capture, NULL);
    lane->has_capture = 0;
}

/* Cancels a lane's capture. Called with the lock held. */
static void cs_cancel(cs_sink *sink)
{
    if (sink && !sink->is_cancelled) {
        sink->is_cancelled = 1;
        /* The capture's device stays open until the capture is off the list, for which the lock
           is needed. */
        if (cs_backend_now->cancel) cs_backend_now->cancel(sink->lane->device);
    }
    pthread_cond_broadcast(&cs_news);
}

static void cs_close(struct cs_lane *lane)
{
    pthread_mutex_lock(&cs_lock);
    cs_cancel(lane->sink);
    pthread_mutex_unlock(&cs_lock);
    cs_join_capture(lane);
    if (cs_backend_now->close) cs_backend_now->close(lane->device);
}

static void *cs_lane_thread(void *argument)
{
    struct cs_lane *lane = argument;
    for (int is_over = 0; !is_over;) {
        pthread_mutex_lock(&cs_lock);
        while (!lane->first) pthread_cond_wait(&cs_news, &cs_lock);
        struct cs_request *request = lane->first;
        if (!(lane->first = request->next)) lane->last = NULL;
        pthread_mutex_unlock(&cs_lock);
        cs_last.code[0] = 0;
        if (!strcmp(request->verb, "options"))
            cs_serve_options(lane, request->id);
        else if (!strcmp(request->verb, "set"))
            cs_serve_set(lane, request->id, request->line);
        else if (!strcmp(request->verb, "capture")) {
            cs_join_capture(lane);
            cs_keep_settings(lane, lane->sink);
            lane->has_capture = 1;
            if (pthread_create(&lane->capture, NULL, cs_capture_thread, lane->sink)) abort();
        } else {
            is_over = 1;
            cs_close(lane);
            if (request->id) {
                cs_text text = cs_answer(request->id);
                cs_send(&text, NULL, 0);
            }
        }
        free(request->verb);
        free(request->line);
        free(request);
    }
    pthread_mutex_lock(&cs_lock);
    for (struct cs_lane **place = &cs_lanes; *place; place = &(*place)->next)
        if (*place == lane) {
            *place = lane->next;
            break;
        }
    free(lane);
    pthread_cond_broadcast(&cs_news);
    pthread_mutex_unlock(&cs_lock);
    return NULL;
}

static void *cs_watch_thread(void *argument)
{
    (void)argument;
    cs_backend_now->watch();
    return NULL;
}

/* hello, devices, open: each on its own thread, since they may take long. */
static void *cs_request_thread(void *argument)
{
    struct cs_request *request = argument;
    cs_last.code[0] = 0;
    if (!strcmp(request->verb, "hello")) {
        static int has_greeted;
        cs_text text = cs_answer(request->id);
        cs_put(&text, ",\"protocol\":1,\"capabilities\":[\"descriptors\",\"offsets\"]");
        cs_field(&text, "name", cs_backend_now->name);
        cs_field(&text, "version", cs_backend_now->version);
        cs_send(&text, NULL, 0);
        if (cs_backend_now->watch && !has_greeted++) cs_thread(cs_watch_thread, NULL);
    } else if (!strcmp(request->verb, "devices")) {
        cs_list list = {cs_answer(request->id), {0}};
        const char *quick = cs_find(request->line, "quick");
        cs_key(&list.text, "devices");
        cs_put(&list.text, "[");
        if (cs_backend_now->devices(&list, quick && *quick == 't') < 0) {
            free(list.text.bytes);
            cs_refuse(request->id);
        } else {
            cs_put(&list.text, "]");
            if (list.problems.count) {
                cs_key(&list.text, "problems");
                cs_append(&list.text, list.problems.bytes, list.problems.count);
                cs_put(&list.text, "]");
            }
            cs_send(&list.text, NULL, 0);
        }
        free(list.problems.bytes);
    } else if (!strcmp(request->verb, "open")) {
        char *device = cs_find_text(request->line, "device");
        void *opened = cs_backend_now->open(device ? device : "");
        free(device);
        if (opened) {
            struct cs_lane *lane = calloc(1, sizeof *lane);
            if (!lane) abort();
            cs_text text = cs_answer(request->id);
            if (cs_backend_now->describe) {
                cs_key(&text, "device");
                cs_put_device(&text, cs_backend_now->describe(opened));
            }
            pthread_mutex_lock(&cs_lock);
            lane->device = opened;
            lane->handle = ++cs_handles;
            cs_number_field(&text, "handle", (double)lane->handle);
            lane->next = cs_lanes;
            cs_lanes = lane;
            /* From here on the lane belongs to its thread, which may close the device
             * immediately. */
            cs_thread(cs_lane_thread, lane);
            pthread_mutex_unlock(&cs_lock);
            cs_send(&text, NULL, 0);
        } else
            cs_refuse(request->id);
    } else {
        cs_fail("unsupported", "no verb '%.60s' is known", request->verb);
        cs_refuse(request->id);
    }
    free(request->verb);
    free(request->line);
    free(request);
    return NULL;
}

/* Puts a request into its device's queue. Called by the reader thread, without the lock. Returns
 * the reason for a failure, or NULL. */
static int cs_queue(struct cs_request *request)
{
    long handle = cs_find_long(request->line, "handle", 0);
    int is_capture = !strcmp(request->verb, "capture"), result = 0;
    const char *mode = cs_find(request->line, "mode");
    long limit = cs_find_long(request->line, "limit", 0);
    struct cs_lane *lane = NULL, **place;
    pthread_mutex_lock(&cs_lock);
    for (place = &cs_lanes; *place; place = &(*place)->next)
        if (handle > 0 && (*place)->handle == handle) {
            lane = *place;
            break;
        }
    if (!lane)
        result = cs_fail("noSuchDevice", "no open device has the handle %ld", handle);
    else if (is_capture && lane->sink)
        result = cs_fail("busy", "the device is already capturing");
    else if (is_capture && mode && strncmp(mode, "\"live\"", 6) && strncmp(mode, "\"pages\"", 7))
        result = cs_fail("unsupported", "there is no capture of this mode");
    else if (is_capture && limit < 1 && cs_find(request->line, "limit"))
        result = cs_fail("invalidValue", "a capture of %ld frames makes no sense", limit);
    if (!result && is_capture) {
        cs_sink *sink = calloc(1, sizeof *sink);
        if (!sink) abort();
        sink->lane = lane;
        sink->capture = request->id;
        sink->limit = limit > 0 ? limit : 0;
        sink->live = mode && !strncmp(mode, "\"live\"", 6);
        sink->number = 1;
        sink->descriptor = -1;
        sink->next = cs_sinks;
        cs_sinks = lane->sink = sink;
    }
    if (!result) {
        if (!strcmp(request->verb, "close")) lane->handle = 0; /* nothing finds it from now on */
        if (lane->last)
            lane->last->next = request;
        else
            lane->first = request;
        lane->last = request;
        pthread_cond_broadcast(&cs_news);
    }
    pthread_mutex_unlock(&cs_lock);
    return result;
}

/* The host's answer to a frame. */
static void cs_deliver(const char *line, int descriptor)
{
    long capture = cs_find_long(line, "capture", 0), frame = cs_find_long(line, "frame", 0);
    char *event = cs_find_text(line, "event"), *way = cs_find_text(line, "way");
    pthread_mutex_lock(&cs_lock);
    for (cs_sink *sink = cs_sinks; sink; sink = sink->next) {
        if (sink->capture != capture || sink->number != frame || sink->has_answer ||
            sink->is_open || !event)
            continue;
        if (!strcmp(event, "refused")) {
            const char *error = cs_find(line, "error");
            char *code = cs_find_text(error, "code"), *message = cs_find_text(error, "message");
            sink->way = CS_REFUSED;
            snprintf(
                sink->refusal.code, sizeof sink->refusal.code, "%s", code ? code : "internalFault");
            sink->refusal.advice[0] = 0;
            snprintf(sink->refusal.message, sizeof sink->refusal.message, "%s",
                message ? message : "the frame was refused");
            free(code);
            free(message);
        } else if (!strcmp(event, "buffer") && way) {
            sink->way = !strcmp(way, "fd") ? CS_FD : !strcmp(way, "inline") ? CS_INLINE : CS_DROP;
            sink->most = (size_t)cs_find_long(line, "most", 0);
            sink->offset = (off_t)cs_find_long(line, "offset", 0);
            sink->descriptor = descriptor;
            descriptor = -1;
        } else
            continue;
        sink->has_answer = 1;
    }
    pthread_cond_broadcast(&cs_news);
    pthread_mutex_unlock(&cs_lock);
    if (descriptor >= 0) close(descriptor);
    free(event);
    free(way);
}

/* Handles one line; -1 if the protocol does not know it. */
static int cs_take(char *line, int descriptor)
{
    long id = cs_find_long(line, "request", 0);
    char *verb = cs_find_text(line, "verb");
    if (cs_find(line, "event")) {
        cs_deliver(line, descriptor);
        free(verb);
        return 0;
    }
    if (descriptor >= 0) close(descriptor);
    if (!id || !verb) {
        free(verb);
        return -1;
    }
    if (!strcmp(verb, "cancel")) {
        long capture = cs_find_long(line, "capture", 0);
        pthread_mutex_lock(&cs_lock);
        for (cs_sink *sink = cs_sinks; sink; sink = sink->next)
            if (sink->capture == capture) cs_cancel(sink);
        pthread_mutex_unlock(&cs_lock);
        cs_text text = cs_answer(id);
        cs_send(&text, NULL, 0);
        free(verb);
        return 0;
    }
    struct cs_request *request = calloc(1, sizeof *request);
    if (!request || !(request->line = strdup(line))) abort();
    request->id = id;
    request->verb = verb;
    if (!strcmp(verb, "options") || !strcmp(verb, "set") || !strcmp(verb, "capture") ||
        !strcmp(verb, "close")) {
        if (cs_queue(request)) {
            cs_refuse(id);
            free(request->verb);
            free(request->line);
            free(request);
        }
    } else
        cs_thread(cs_request_thread, request);
    return 0;
}

/* Reads the host's messages until it is gone: 0, or 1 if they can't be read. */
static int cs_read(void)
{
    static char chunk[65536];
    cs_text line = {0};
    int descriptors[64], waiting = 0;
    for (;;) {
        union {
            struct cmsghdr header;
            char room[CMSG_SPACE(4 * sizeof(int))];
        } control;
        struct iovec place = {chunk, sizeof chunk};
        struct msghdr message = {.msg_iov = &place,
            .msg_iovlen = 1,
            .msg_control = &control,
            .msg_controllen = sizeof control};
        ssize_t count = recvmsg(cs_host, &message, MSG_CMSG_CLOEXEC);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            free(line.bytes);
            return 0;
        }
        for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
            if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
            size_t total = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t i = 0; i < total; i++) {
                int descriptor;
                memcpy(&descriptor, CMSG_DATA(c) + i * sizeof descriptor, sizeof descriptor);
                if (waiting < 64)
                    descriptors[waiting++] = descriptor;
                else
                    close(descriptor);
            }
        }
        for (char *s = chunk, *end = chunk + count; s < end;) {
            char *feed = memchr(s, '\n', (size_t)(end - s));
            cs_append(&line, s, (size_t)((feed ? feed : end) - s));
            if (line.count > CS_LINE) return 1;
            s = feed ? feed + 1 : end;
            if (!feed) continue;
            const char *has = cs_find(line.bytes, "fd");
            int descriptor = -1;
            if (has && *has == 't') {
                if (!waiting) return 1;
                descriptor = descriptors[0];
                memmove(descriptors, descriptors + 1, (size_t)--waiting * sizeof *descriptors);
            }
            if (cs_take(line.bytes, descriptor)) return 1;
            line.count = 0;
        }
    }
}

static void *cs_wind_down(void *argument)
{
    int *is_done = argument;
    pthread_mutex_lock(&cs_lock);
    for (struct cs_lane *lane = cs_lanes; lane; lane = lane->next) {
        cs_cancel(lane->sink);
        if (!lane->handle) continue; /* it is being closed */
        struct cs_request *request = calloc(1, sizeof *request);
        if (!request || !(request->verb = strdup("close")) || !(request->line = strdup("")))
            abort();
        lane->handle = 0;
        if (lane->last)
            lane->last->next = request;
        else
            lane->first = request;
        lane->last = request;
    }
    pthread_cond_broadcast(&cs_news);
    while (cs_lanes) pthread_cond_wait(&cs_news, &cs_lock);
    *is_done = 1;
    pthread_cond_broadcast(&cs_news);
    pthread_mutex_unlock(&cs_lock);
    return NULL;
}

/* The host has died: there is only time to close devices. */
static void cs_host_died(int number)
{
    (void)number;
    alarm(2);
}

/* Connects to the host that waits for a program in a debugger; on failure, returns -1 and sets
   errno. */
static int cs_attach(const char *place)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(place) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, place, strlen(place));
    cs_host = socket(AF_UNIX, SOCK_STREAM, 0);
    return cs_host < 0 ? -1 : connect(cs_host, (struct sockaddr *)&address, sizeof address);
}

static int cs_run(const cs_backend *backend)
{
    static int is_done;
    struct stat file;
    struct timespec end;
    pthread_condattr_t monotonic;
    const char *place = getenv("COPYSTAND_ATTACH");
    if (place && *place) {
        if (cs_attach(place)) {
            fprintf(stderr, "no host waits at COPYSTAND_ATTACH=%s: %s\n", place, strerror(errno));
            return 2;
        }
    } else if (fstat(cs_host, &file) || !S_ISSOCK(file.st_mode)) {
        fprintf(stderr,
            "%s %s: a Copystand backend. Copystand starts it when needed.\nTry: copystand "
            "backends\n",
            backend->name, backend->version);
        return 2;
    }
    fcntl(cs_host, F_SETFD, FD_CLOEXEC);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, cs_host_died);
    setvbuf(stdout, NULL, _IOLBF, 0); /* what is printed goes into the host's log, line by line */
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&cs_news, &monotonic);
    cs_backend_now = backend;
    int status = cs_read();
    if (status) fprintf(stderr, "the host's message can't be read\n");
    /* Captures are canceled and devices closed, but a device that hangs does not delay the end. */
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += 1;
    cs_thread(cs_wind_down, &is_done);
    pthread_mutex_lock(&cs_lock);
    while (!is_done && pthread_cond_timedwait(&cs_news, &cs_lock, &end) != ETIMEDOUT) {}
    pthread_mutex_unlock(&cs_lock);
    fflush(NULL);
    _exit(status); /* without waiting for threads that a device may hold */
}

#pragma GCC diagnostic pop
#endif
