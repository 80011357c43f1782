/* A SANE driver that fails on request. The tests build it as libsane-fault.so.1.
 *
 * The device's name is the fault: clean, busy, denied, asleep, locked, stuck, slow, reader,
 * crash-open, hang-open, or KIND-PAGE, where KIND is jam, mid-jam, double, cover, io, mid-io,
 * inval, memory, unsupported, short, crash-row, crash, hang or slow. The feeder holds five sheets.
 * `status-N` answers every read with SANE's status number N. `reader` has threads that allocate
 * memory, and cancels them at each page's end, as drivers do with sanei_thread.
 * FAULT_DISCOVERY=crash|hang makes the search fail.
 *
 * fault.conf, in a folder of SANE_CONFIG_DIR, is read when SANE starts and when a scanner is
 * opened. It may have these lines:
 *
 *     sheets N       The feeder holds N sheets each time the scanner is opened or the feeder has
 *                    been emptied.
 *     button FILE    The button `scan` was pressed since its last reading if FILE exists; reading
 *                    the button deletes FILE.
 *     paper FILE     The feeder holds the number of sheets in FILE (that of `sheets` if FILE has
 *                    no number), and none if FILE does not exist; `page-loaded` tells whether it
 *                    holds any. Each sheet that is drawn in lowers the number, and the last one
 *                    deletes FILE.
 *     cover FILE     `cover-open` is set while FILE exists.
 *     devices FILE   The list of scanners, read when SANE starts, with a line for each:
 *                    NAME|VENDOR|MODEL|TYPE. No others can be opened.
 *     unplug FILE    A read that fails deletes FILE, as unplugging removes a scanner from the
 *                    list.
 *     lock FILE      An open scanner locks FILE, so that nobody else can open one. */
#include <sane/sane.h>
#include <stdatomic.h>
#include <stdio.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { WIDTH = 100, HEIGHT = 120 };
enum {
    COUNT,
    SOURCE,
    MODE,
    RESOLUTION,
    DOUBLE_FEED,
    CANCELS,
    STARTS,
    LAMP,
    SCAN,
    PAPER,
    COVER,
    PAGE_HEIGHT,
    TL_X,
    TL_Y,
    BR_X,
    BR_Y,
    OPTIONS
};

typedef struct {
    char kind[32];
    int page; /* on which page it goes wrong; 0 for never */
    char source[16];
    int resolution;
    int drawn, is_front; /* sheets drawn in since the feeder was empty; whether a sheet's back is to
                            come */
    int pages;           /* pages begun since the device was opened */
    int row;             /* bytes of the page sent */
    int scanning;
    SANE_Bool double_feed;
    SANE_Fixed mm[OPTIONS]; /* the paper and the area, by option */
    int cancels, starts;
    int lock;
    _Atomic int cancelled;
} Device;

/* Tests read this before they cancel a blocking read. */
_Atomic int fault_is_stuck;
static SANE_Auth_Callback authorize;
/* The settings in fault.conf. */
static int sheets;
static char button_file[512], paper_file[512], cover_file[512], devices_file[512], unplug_file[512],
    lock_file[512];
static int has_list;
static const SANE_String_Const sources[] = {"Flatbed", "ADF", "ADF Duplex", NULL};
static const SANE_String_Const modes[] = {"Gray", NULL};
static const SANE_Word resolutions[] = {3, 75, 150, 300};
/* As with real document scanners, the area can't exceed the paper that was set. */
static const SANE_Range across = {0, SANE_FIX(216), 0}, paper = {0, SANE_FIX(400), 0};
static SANE_Range down = {0, SANE_FIX(279.4), 0};
#define SENSOR (SANE_CAP_HARD_SELECT | SANE_CAP_SOFT_DETECT | SANE_CAP_ADVANCED)
static SANE_Option_Descriptor options[OPTIONS] = {
    {"", "Options", "", SANE_TYPE_INT, SANE_UNIT_NONE, 4, SANE_CAP_SOFT_DETECT,
        SANE_CONSTRAINT_NONE, {NULL}},
    {"source", "Source", "Where from", SANE_TYPE_STRING, SANE_UNIT_NONE, 16,
        SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT, SANE_CONSTRAINT_STRING_LIST, {NULL}},
    {"mode", "Mode", "Colors", SANE_TYPE_STRING, SANE_UNIT_NONE, 16,
        SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT, SANE_CONSTRAINT_STRING_LIST, {NULL}},
    {"resolution", "Resolution", "", SANE_TYPE_INT, SANE_UNIT_DPI, 4,
        SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT, SANE_CONSTRAINT_WORD_LIST, {NULL}},
    {"double-feed", "Double feed", "", SANE_TYPE_BOOL, SANE_UNIT_NONE, 4, SANE_CAP_SOFT_DETECT,
        SANE_CONSTRAINT_NONE, {NULL}},
    {"cancels", "Cancels", "", SANE_TYPE_INT, SANE_UNIT_NONE, 4, SANE_CAP_SOFT_DETECT,
        SANE_CONSTRAINT_NONE, {NULL}},
    {"starts", "Starts", "", SANE_TYPE_INT, SANE_UNIT_NONE, 4, SANE_CAP_SOFT_DETECT,
        SANE_CONSTRAINT_NONE, {NULL}},
    {"lamp", "Lamp", "", SANE_TYPE_BOOL, SANE_UNIT_NONE, 4, SANE_CAP_HARD_SELECT,
        SANE_CONSTRAINT_NONE, {NULL}},
    {"scan", "Scan button", "", SANE_TYPE_BOOL, SANE_UNIT_NONE, 4, SENSOR, SANE_CONSTRAINT_NONE,
        {NULL}},
    {"page-loaded", "Page loaded", "", SANE_TYPE_BOOL, SANE_UNIT_NONE, 4, SENSOR,
        SANE_CONSTRAINT_NONE, {NULL}},
    {"cover-open", "Cover open", "", SANE_TYPE_BOOL, SANE_UNIT_NONE, 4, SENSOR,
        SANE_CONSTRAINT_NONE, {NULL}},
    {"page-height", "page-height", "", SANE_TYPE_FIXED, SANE_UNIT_MM, 4,
        SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT, SANE_CONSTRAINT_RANGE, {NULL}},
    {"tl-x", "tl-x", "", SANE_TYPE_FIXED, SANE_UNIT_MM, 4,
        SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT, SANE_CONSTRAINT_RANGE, {NULL}},
    {"tl-y", "tl-y", "", SANE_TYPE_FIXED, SANE_UNIT_MM, 4,
        SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT, SANE_CONSTRAINT_RANGE, {NULL}},
    {"br-x", "br-x", "", SANE_TYPE_FIXED, SANE_UNIT_MM, 4,
        SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT, SANE_CONSTRAINT_RANGE, {NULL}},
    {"br-y", "br-y", "", SANE_TYPE_FIXED, SANE_UNIT_MM, 4,
        SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT, SANE_CONSTRAINT_RANGE, {NULL}},
};

static int is(Device *d, const char *kind) { return strcmp(d->kind, kind) == 0; }
static int now(Device *d, const char *kind) { return is(d, kind) && d->pages == d->page; }

static int there(const char *file) { return file[0] && access(file, F_OK) == 0; }

/* Reads fault.conf from the first folder of SANE_CONFIG_DIR that contains it. */
static void read_configuration(void)
{
    char folders[4096], path[5000], line[600];
    const char *variable = getenv("SANE_CONFIG_DIR");
    snprintf(folders, sizeof folders, "%s", variable ? variable : "");
    sheets = 5;
    button_file[0] = paper_file[0] = cover_file[0] = devices_file[0] = unplug_file[0] =
        lock_file[0] = 0;
    for (char *rest = folders, *folder; (folder = strsep(&rest, ":"));) {
        snprintf(path, sizeof path, "%s/fault.conf", folder);
        FILE *file = folder[0] ? fopen(path, "r") : NULL;
        if (!file) continue;
        while (fgets(line, sizeof line, file)) {
            sscanf(line, "sheets %d", &sheets);
            sscanf(line, "button %511[^\n]", button_file);
            sscanf(line, "paper %511[^\n]", paper_file);
            sscanf(line, "cover %511[^\n]", cover_file);
            sscanf(line, "devices %511[^\n]", devices_file);
            sscanf(line, "unplug %511[^\n]", unplug_file);
            sscanf(line, "lock %511[^\n]", lock_file);
        }
        fclose(file);
        return;
    }
}

/* The number of sheets in the feeder. */
static int sheets_loaded(Device *d)
{
    int count = sheets;
    if (!paper_file[0]) return sheets - d->drawn;
    FILE *file = fopen(paper_file, "r");
    if (!file) return 0;
    if (fscanf(file, "%d", &count) != 1) count = sheets;
    fclose(file);
    return count;
}

/* Draws in a sheet, or turns it over; returns 0 if there is none. */
static int next_side(Device *d)
{
    if (strcmp(d->source, "ADF Duplex") == 0 && d->is_front) {
        d->is_front = 0;
        return 1;
    }
    int count = sheets_loaded(d);
    if (count <= 0) {
        d->drawn = 0;
        return 0;
    }
    d->drawn++;
    d->is_front = 1;
    if (paper_file[0] && count == 1) unlink(paper_file);
    if (paper_file[0] && count > 1) {
        FILE *file = fopen(paper_file, "w");
        if (file) {
            fprintf(file, "%d\n", count - 1);
            fclose(file);
        }
    }
    return 1;
}

enum { MOST_DEVICES = 50 };
static char device_lines[MOST_DEVICES][256];
static SANE_Device devices[MOST_DEVICES];
static const SANE_Device *list_of_devices[MOST_DEVICES + 1];

static void add_device(int index, const char *line)
{
    char *rest = device_lines[index];
    snprintf(rest, sizeof device_lines[index], "%s", line);
    devices[index].name = strsep(&rest, "|\n");
    devices[index].vendor = rest ? strsep(&rest, "|\n") : "";
    devices[index].model = rest ? strsep(&rest, "|\n") : "";
    devices[index].type = rest ? strsep(&rest, "|\n") : "";
    list_of_devices[index] = &devices[index];
    list_of_devices[index + 1] = NULL;
}

/* As with many real drivers, plugged-in devices are read only when SANE starts. */
static void read_devices(void)
{
    static const char *const usual[] = {"clean|Fault|Clean|sheetfed scanner",
        "busy|Fault|Busy|flatbed scanner", "denied|Fault|Denied|flatbed scanner",
        "asleep|Fault|Asleep|flatbed scanner"};
    list_of_devices[0] = NULL;
    has_list = devices_file[0] != 0;
    if (!devices_file[0]) {
        for (int i = 0; i < 4; i++) add_device(i, usual[i]);
        return;
    }
    char line[256];
    FILE *file = fopen(devices_file, "r");
    for (int i = 0; file && i < MOST_DEVICES && fgets(line, sizeof line, file); i++)
        add_device(i, line);
    if (file) fclose(file);
}

SANE_Status sane_fault_init(SANE_Int *version, SANE_Auth_Callback callback)
{
    authorize = callback;
    read_configuration();
    read_devices();
    if (version) *version = 0x01000000;
    options[SOURCE].constraint.string_list = sources;
    options[MODE].constraint.string_list = modes;
    options[RESOLUTION].constraint.word_list = resolutions;
    options[PAGE_HEIGHT].constraint.range = &paper;
    options[TL_X].constraint.range = options[BR_X].constraint.range = &across;
    options[TL_Y].constraint.range = options[BR_Y].constraint.range = &down;
    return SANE_STATUS_GOOD;
}
void sane_fault_exit(void) {}

SANE_Status sane_fault_get_devices(const SANE_Device ***list, SANE_Bool local)
{
    const char *fault = getenv("FAULT_DISCOVERY");
    (void)local;
    if (fault && strcmp(fault, "crash") == 0) abort();
    if (fault && strcmp(fault, "hang") == 0)
        for (;;) pause();
    *list = list_of_devices;
    return SANE_STATUS_GOOD;
}

void sane_fault_close(SANE_Handle handle)
{
    Device *d = handle;
    if (d->lock >= 0) close(d->lock);
    free(d);
}

SANE_Status sane_fault_open(SANE_String_Const name, SANE_Handle *handle)
{
    Device *d = calloc(1, sizeof *d);
    read_configuration();
    const char *dash = strrchr(name, '-');
    d->page = dash ? atoi(dash + 1) : 0;
    strncpy(d->kind, name, sizeof d->kind - 1);
    if (d->page > 0) d->kind[dash - name] = 0;
    strcpy(d->source, "ADF");
    d->resolution = 75;
    d->mm[PAGE_HEIGHT] = d->mm[BR_Y] = down.max = SANE_FIX(279.4);
    d->mm[BR_X] = across.max;
    SANE_Status status = SANE_STATUS_GOOD;
    int is_listed = !has_list;
    for (int i = 0; list_of_devices[i]; i++)
        is_listed |= strcmp(list_of_devices[i]->name, name) == 0;
    if (!is_listed) status = SANE_STATUS_INVAL;
    d->lock = lock_file[0] ? open(lock_file, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (d->lock >= 0 && flock(d->lock, LOCK_EX | LOCK_NB) != 0) status = SANE_STATUS_DEVICE_BUSY;
    if (is(d, "busy")) status = SANE_STATUS_DEVICE_BUSY;
    if (is(d, "denied")) status = SANE_STATUS_ACCESS_DENIED;
    if (is(d, "asleep")) status = SANE_STATUS_IO_ERROR;
    if (is(d, "crash-open")) abort();
    if (is(d, "hang-open"))
        for (;;) pause();
    if (is(d, "locked")) {
        char user[SANE_MAX_USERNAME_LEN] = "", password[SANE_MAX_PASSWORD_LEN] = "";
        authorize("fault:locked", user, password);
        if (strcmp(user, "me") || strcmp(password, "secret")) status = SANE_STATUS_ACCESS_DENIED;
    }
    if (status != SANE_STATUS_GOOD) {
        sane_fault_close(d);
        return status;
    }
    *handle = d;
    return SANE_STATUS_GOOD;
}

const SANE_Option_Descriptor *sane_fault_get_option_descriptor(SANE_Handle handle, SANE_Int option)
{
    (void)handle;
    return option >= 0 && option < OPTIONS ? &options[option] : NULL;
}

SANE_Status sane_fault_control_option(
    SANE_Handle handle, SANE_Int option, SANE_Action action, void *value, SANE_Int *info)
{
    Device *d = handle;
    if (info) *info = 0;
    /* A driver may write to the whole buffer of a string: this detects a buffer that is too
     * short or read-only. */
    if (action == SANE_ACTION_GET_VALUE) {
        switch (option) {
        case COUNT: *(SANE_Int *)value = OPTIONS; return SANE_STATUS_GOOD;
        case SOURCE:
            memset(value, 0, 16);
            strcpy(value, d->source);
            return SANE_STATUS_GOOD;
        case MODE:
            memset(value, 0, 16);
            strcpy(value, "Gray");
            return SANE_STATUS_GOOD;
        case RESOLUTION: *(SANE_Int *)value = d->resolution; return SANE_STATUS_GOOD;
        case DOUBLE_FEED: *(SANE_Bool *)value = d->double_feed; return SANE_STATUS_GOOD;
        case PAGE_HEIGHT:
        case TL_X:
        case TL_Y:
        case BR_X:
        case BR_Y: *(SANE_Fixed *)value = d->mm[option]; return SANE_STATUS_GOOD;
        case CANCELS: *(SANE_Int *)value = d->cancels; return SANE_STATUS_GOOD;
        case STARTS: *(SANE_Int *)value = d->starts; return SANE_STATUS_GOOD;
        case SCAN:
            *(SANE_Bool *)value = there(button_file);
            if (button_file[0]) unlink(button_file);
            return SANE_STATUS_GOOD;
        case PAPER: *(SANE_Bool *)value = sheets_loaded(d) > 0; return SANE_STATUS_GOOD;
        case COVER: *(SANE_Bool *)value = there(cover_file); return SANE_STATUS_GOOD;
        default: return SANE_STATUS_INVAL;
        }
    }
    if (d->scanning) return SANE_STATUS_DEVICE_BUSY;
    switch (option) {
    case SOURCE:
        for (int i = 0; sources[i]; i++)
            if (strcmp(value, sources[i]) == 0) {
                strcpy(d->source, value);
                memset((char *)value + strlen(value), 0, 16 - strlen(value));
                return SANE_STATUS_GOOD;
            }
        return SANE_STATUS_INVAL;
    case MODE: return strcmp(value, "Gray") == 0 ? SANE_STATUS_GOOD : SANE_STATUS_INVAL;
    case RESOLUTION: d->resolution = *(SANE_Int *)value; return SANE_STATUS_GOOD;
    case PAGE_HEIGHT:
        d->mm[option] = down.max = *(SANE_Fixed *)value;
        if (d->mm[BR_Y] > down.max) d->mm[BR_Y] = down.max;
        if (info) *info = SANE_INFO_RELOAD_OPTIONS;
        return SANE_STATUS_GOOD;
    case TL_X:
    case TL_Y:
    case BR_X:
    case BR_Y:
        if (*(SANE_Fixed *)value < 0 ||
            *(SANE_Fixed *)value > options[option].constraint.range->max)
            return SANE_STATUS_INVAL;
        d->mm[option] = *(SANE_Fixed *)value;
        return SANE_STATUS_GOOD;
    default: return SANE_STATUS_INVAL;
    }
}

SANE_Status sane_fault_get_parameters(SANE_Handle handle, SANE_Parameters *p)
{
    Device *d = handle;
    *p = (SANE_Parameters){SANE_FRAME_GRAY, SANE_TRUE, WIDTH, WIDTH, HEIGHT, 8};
    if (!d->scanning) p->lines = p->pixels_per_line = 7;
    return SANE_STATUS_GOOD;
}

SANE_Status sane_fault_start(SANE_Handle handle)
{
    Device *d = handle;
    int feeds = strcmp(d->source, "Flatbed") != 0;
    d->starts++;
    d->cancelled = 0;
    if (feeds && is(d, "empty")) return SANE_STATUS_NO_DOCS;
    /* A jammed sheet can be put back into the feeder. */
    int fails = d->pages + 1 == d->page &&
                (is(d, "jam") || is(d, "double") || is(d, "cover") || is(d, "io") ||
                    is(d, "inval") || is(d, "memory") || is(d, "unsupported"));
    if (feeds && !(fails ? d->is_front || sheets_loaded(d) > 0 : next_side(d)))
        return SANE_STATUS_NO_DOCS;
    d->pages++;
    d->double_feed = now(d, "double");
    if (now(d, "jam") || now(d, "double")) return SANE_STATUS_JAMMED;
    if (now(d, "cover")) return SANE_STATUS_COVER_OPEN;
    if (now(d, "io")) return SANE_STATUS_IO_ERROR;
    if (now(d, "inval")) return SANE_STATUS_INVAL;
    if (now(d, "memory")) return SANE_STATUS_NO_MEM;
    if (now(d, "unsupported")) return SANE_STATUS_UNSUPPORTED;
    d->row = 0;
    d->scanning = 1;
    return SANE_STATUS_GOOD;
}

/* The work of a reader thread, which can be canceled at any instruction if the system allows
   that. */
static void *allocate(void *unused)
{
    int before;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
    for (;; pthread_testcancel()) {
        void *blocks[32];
        for (int i = 0; i < 32; i++) blocks[i] = malloc(2000 + 500 * i);
        for (int i = 0; i < 32; i++) free(blocks[i]);
    }
    return unused;
}

/* A reader thread that ends while it holds the allocator's lock blocks its own end or a later
   reader's. */
static void use_readers(void)
{
    for (int i = 0; i < 200; i++) {
        pthread_t reader;
        if (pthread_create(&reader, NULL, allocate, NULL) != 0) abort();
        usleep(200);
        pthread_cancel(reader);
        pthread_join(reader, NULL);
    }
}

SANE_Status sane_fault_read(SANE_Handle handle, SANE_Byte *data, SANE_Int most, SANE_Int *length)
{
    Device *d = handle;
    int half = WIDTH * HEIGHT / 2, all = WIDTH * HEIGHT;
    *length = 0;
    if (d->cancelled) return SANE_STATUS_CANCELLED;
    if (is(d, "status")) return (SANE_Status)d->page;
    if (now(d, "crash-row") && d->row == 0) abort();
    if (d->row >= half) {
        if (now(d, "mid-jam")) return SANE_STATUS_JAMMED;
        if (now(d, "mid-io")) {
            if (unplug_file[0]) unlink(unplug_file);
            return SANE_STATUS_IO_ERROR;
        }
        if (now(d, "crash")) abort();
        if (now(d, "short")) return SANE_STATUS_EOF;
        if (now(d, "hang"))
            for (;;) pause();
        /* Blocks until canceled, and then returns what the test driver returns. */
        if (is(d, "stuck")) {
            fault_is_stuck = 1;
            while (!d->cancelled) usleep(1000);
            return SANE_STATUS_EOF;
        }
    }
    if (d->row >= all) {
        if (is(d, "reader")) use_readers();
        d->scanning = 0;
        return SANE_STATUS_EOF;
    }
    int slow = is(d, "slow") && (d->page == 0 || d->pages == d->page);
    if (slow) usleep(20000);
    int left = (d->row < half ? half : all) - d->row;
    int count = most < left ? most : left;
    if (slow && count > WIDTH) count = WIDTH;
    for (int i = 0; i < count; i++) data[i] = (SANE_Byte)(16 * d->pages + (d->row + i) / WIDTH);
    d->row += count;
    *length = count;
    return SANE_STATUS_GOOD;
}

void sane_fault_cancel(SANE_Handle handle)
{
    Device *d = handle;
    d->cancels++;
    d->cancelled = 1;
    d->scanning = 0;
}

SANE_Status sane_fault_set_io_mode(SANE_Handle handle, SANE_Bool on)
{
    (void)handle;
    return on ? SANE_STATUS_UNSUPPORTED : SANE_STATUS_GOOD;
}
SANE_Status sane_fault_get_select_fd(SANE_Handle handle, SANE_Int *fd)
{
    (void)handle;
    (void)fd;
    return SANE_STATUS_UNSUPPORTED;
}
