/* Network cameras that show a still picture at an address, as capture devices.
   cc -O2 -pthread -o netcam netcam.c -lm */
#define _GNU_SOURCE
#include "copystand_backend.h"
#include <spawn.h>
#include <sys/wait.h>

/* --- Which cameras there are --- */

typedef struct { char id[100], address[400], name[140]; } place;

static const char *list_path(void) {
    static char path[4096];
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (folder && *folder) snprintf(path, sizeof path, "%s/netcam.txt", folder);
    else snprintf(path, sizeof path, "%s/.config/netcam.txt", home ? home : "");
    return path;
}

/* The user's cameras: lines of a name, a space and an address. */
static int read_places(place *places, int most) {
    char line[600];
    int count = 0;
    FILE *file = fopen(list_path(), "re");
    if (!file) return 0;
    while (count < most && fgets(line, sizeof line, file))
        if (line[0] != '#' &&
            sscanf(line, "%99s %399s", places[count].id, places[count].address) == 2) count++;
    fclose(file);
    return count;
}

static cs_device describe(place *place) {
    snprintf(place->name, sizeof place->name, "Network camera %.99s", place->id);
    return (cs_device){.id = place->id, .name = place->name, .kind = "camera",
                       .connection = place->address, .sources = {"camera"}};
}

/* --- Fetching a picture --- */

/* Runs a program with a file as its input (-1: none).
   Its output is read into a file in memory; the result is -1 when it fails. */
static int run(char *const words[], int input) {
    extern char **environ;
    int output = memfd_create("output", MFD_CLOEXEC), status = -1;
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    int failure = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) {
        cs_fail("unsupported", "the program '%s' can't be run: %s", words[0], strerror(failure));
        close(output);
        return -1;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!status) { lseek(output, 0, SEEK_SET); return output; }
    close(output);
    return cs_fail("inputOutput", "the program '%s' failed", words[0]);
}

/* A file in memory with the picture that the camera shows now. */
static int fetch(const char *address) {
    char *words[] = {"curl", "--silent", "--fail", "--max-time", "8",
                     "--proto", "=http,https", "--", (char *)address, NULL};
    int file = run(words, -1);
    if (file >= 0) return file;
    cs_fail("offline", "the camera at %s does not answer", address);
    return cs_advise("Switch it on and check its address in netcam.txt.");
}

/* --- Decoding it --- */

/* The bytes of a file, mapped; to be unmapped. */
static unsigned char *map(int file, size_t *count) {
    struct stat about;
    void *bytes = MAP_FAILED;
    *count = 0;
    if (!fstat(file, &about) && about.st_size > 0) {
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        *count = (size_t)about.st_size;
    }
    if (bytes != MAP_FAILED) return bytes;
    cs_fail("damagedData", "the camera's picture is empty");
    return NULL;
}

/* Announces a page and sends its pixels, which the program djpeg decodes.
   The result is 1 for a picture that is damaged. */
static int send_page(cs_sink *sink, int jpeg, const char *scale, int expected) {
    char *words[] = {"djpeg", "-pnm", "-scale", (char *)scale, NULL}, label[20];
    time_t now = time(NULL);
    size_t count, original_count = 0;
    int decoded = run(words, jpeg), result = -1, width, height, start;
    unsigned char *original = NULL, *pixels = decoded < 0 ? NULL : map(decoded, &count);
    if (decoded >= 0) close(decoded);
    if (!pixels)
        return cs_fail("damagedData", "the camera's picture is not a readable JPEG"), 1;
    if (!strcmp(scale, "8/8")) original = map(jpeg, &original_count);
    strftime(label, sizeof label, "%H:%M:%S", localtime(&now));
    int is_gray = count > 2 && pixels[1] == '5';
    int fields = sscanf((char *)pixels + 2, " %d %d 255%n", &width, &height, &start);
    if (fields == 2) {
        cs_frame frame = {.format = is_gray ? "gray8" : "rgb8", .width = width, .height = height,
                          .label = label, .expected = expected};
        size_t size = (size_t)width * (size_t)height * (is_gray ? 1 : 3);
        if (count < size)
            result = (cs_fail("damagedData", "djpeg gave %zu of %zu bytes", count, size), 1);
        else if (!cs_begin(sink, &frame) && !cs_write(sink, pixels + (count - size), size))
            result = cs_finish(sink, original, original_count);
    } else result = (cs_fail("damagedData", "djpeg gave no picture"), 1);
    munmap(pixels, count);
    if (original) munmap(original, original_count);
    return result;
}

/* --- Live frames stay JPEG --- */

/* Width and height of a JPEG, from its frame header (ITU-T T.81, B.2.2). */
static int read_size(const unsigned char *jpeg, size_t count, int *width, int *height) {
    for (size_t i = 2; i + 9 < count && jpeg[i] == 0xFF;
         i += 2 + ((size_t)jpeg[i + 2] << 8 | jpeg[i + 3])) {
        if (jpeg[i + 1] < 0xC0 || jpeg[i + 1] > 0xC2) continue;
        *height = jpeg[i + 5] << 8 | jpeg[i + 6];
        *width = jpeg[i + 7] << 8 | jpeg[i + 8];
        return 0;
    }
    return cs_fail("damagedData", "the camera's picture is not a readable JPEG");
}

static int send_live(cs_sink *sink, int jpeg) {
    size_t count;
    int width = 0, height = 0, result = -1;
    struct timespec now;
    unsigned char *bytes = map(jpeg, &count);
    if (!bytes) return -1;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!read_size(bytes, count, &width, &height)) {
        cs_frame frame = {.format = "jpeg", .width = width, .height = height,
                          .capacity = (long)width * height * 2 + 65536,
                          .time = (double)now.tv_sec + (double)now.tv_nsec / 1e9};
        if (cs_begin(sink, &frame) >= 0 && !cs_write(sink, bytes, count))
            result = cs_finish(sink, NULL, 0);
    }
    munmap(bytes, count);
    return result;
}

/* --- An open camera and its options --- */

static const char *const sizes[] = {"full", "half", "quarter", NULL};
static const char *const scales[] = {"8/8", "4/8", "2/8"};
enum { SIZE, REPEAT, PAUSE, OPTIONS };

typedef struct { place place; cs_device description; cs_option options[OPTIONS]; } camera;

static void *open_camera(const char *id) {
    place places[64];
    camera *opened = calloc(1, sizeof *opened);
    int count = read_places(places, 64);
    int is_address = !strncmp(id, "http://", 7) || !strncmp(id, "https://", 8);
    for (int i = 0; i < count && opened; i++)
        if (!strcmp(places[i].id, id)) opened->place = places[i];
    if (opened && is_address) {
        snprintf(opened->place.id, sizeof opened->place.id, "%.99s", id);
        snprintf(opened->place.address, sizeof opened->place.address, "%.399s", id);
    }
    if (!opened || !opened->place.address[0]) {
        cs_fail("noSuchDevice", "no camera is called '%.100s'", id);
        cs_advise("Add a line with its name and address to netcam.txt.");
        free(opened);
        return NULL;
    }
    opened->description = describe(&opened->place);
    opened->options[SIZE] = (cs_option){.name = "size", .title = "Size", .kind = CS_CHOICE,
                                        .choices = sizes, .text = "full",
                                        .has_default = 1, .default_text = "full",
                                        .help = "How large pictures are."};
    opened->options[REPEAT] = (cs_option){.name = "repeat", .title = "Repeat", .kind = CS_TOGGLE,
                                          .help = "Take pictures until stopped."};
    opened->options[PAUSE] = (cs_option){.name = "pause", .title = "Pause", .kind = CS_NUMBER,
                                         .number = 1, .maximum = 3600, .unit = "seconds",
                                         .inactive = 1,
                                         .help = "The time between two pictures."};
    return opened;
}

static const cs_device *describe_camera(void *device) { return &((camera *)device)->description; }

static cs_option *options(void *device, size_t *count) {
    *count = OPTIONS;
    return ((camera *)device)->options;
}

static int changed(void *device, const cs_option *option) {
    camera *camera = device;
    if (strcmp(option->name, "repeat")) return 0;
    camera->options[PAUSE].inactive = option->number == 0;
    return 1; /* another option changed with it */
}

/* --- Capturing --- */

static int capture(void *device, cs_sink *sink, int live, long limit) {
    camera *camera = device;
    double pause = cs_setting(sink, "pause")->number;
    int repeats = cs_setting(sink, "repeat")->number != 0, size = 0;
    while (strcmp(sizes[size], cs_setting(sink, "size")->text)) size++;
    if (!live && !limit && !repeats) limit = 1;
    for (long taken = 0, tried = 0; !limit || taken < limit; tried++) {
        if (!live && tried && repeats && cs_sleep(sink, pause)) return -1;
        int jpeg = fetch(camera->place.address);
        if (jpeg < 0) return -1;
        int expected = (int)(limit ? limit : taken + 1);
        int result = live ? send_live(sink, jpeg) : send_page(sink, jpeg, scales[size], expected);
        close(jpeg);
        if (!result) taken++;
        else if (live || !repeats || result < 0 || cs_skip(sink, NULL)) return -1;
    }
    return 0;
}

static void close_camera(void *device) { free(device); }

/* --- The backend --- */

static int devices(cs_list *list, int quick) {
    place places[64];
    int count = read_places(places, 64);
    for (int i = 0; i < count; i++) {
        int jpeg = quick ? -1 : fetch(places[i].address), is_there = quick || jpeg >= 0;
        cs_device device = describe(&places[i]);
        if (!is_there) {
            device.state = "offline";
            device.advice = "It does not answer: switch it on and check its address in netcam.txt.";
        }
        cs_add(list, &device);
        if (jpeg >= 0) close(jpeg);
    }
    return 0;
}

/* --- Cameras that come and go --- */

static int knows(const place *places, int count, const char *id) {
    for (int i = 0; i < count; i++) if (!strcmp(places[i].id, id)) return 1;
    return 0;
}

static void watch(void) {
    place known[64], now[64];
    int known_count = read_places(known, 64);
    for (;;) {
        sleep(1);
        int count = read_places(now, 64);
        for (int i = 0; i < known_count; i++)
            if (!knows(now, count, known[i].id)) cs_removed(known[i].id);
        for (int i = 0; i < count; i++)
            if (!knows(known, known_count, now[i].id)) {
                cs_device device = describe(&now[i]);
                cs_added(&device);
            }
        memcpy(known, now, sizeof known);
        known_count = count;
    }
}

int main(void) {
    return cs_run(&(cs_backend){.name = "Network cameras", .version = "1.0",
                                .devices = devices, .open = open_camera,
                                .describe = describe_camera, .options = options,
                                .changed = changed,
                                .capture = capture, .close = close_camera,
                                .watch = watch});
}
