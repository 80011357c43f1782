#include "model.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Timings of invented signals, small enough for tests: each has 100 dots and 60 lines, including
 * gaps. */
static const struct v4l2_bt_timings known[] = {
    {.width = 64, .height = 48, .pixelclock = 100 * 60 * 60, .hfrontporch = 36, .vfrontporch = 12},
    {.width = 32, .height = 24, .pixelclock = 100 * 60 * 30, .hfrontporch = 68, .vfrontporch = 36},
};

const struct v4l2_bt_timings *timings_at(uint32_t index)
{ return index < sizeof known / sizeof known[0] ? &known[index] : NULL; }

int mode_is_there(const struct camera *camera, const struct mode *mode)
{
    const struct v4l2_bt_timings *now = &known[camera->timings];
    return camera->input == 0 || (mode->width == now->width && mode->height == now->height);
}

/* The number of the timings whose size the file `hdmi` names; -1 without a signal. */
static int coming_in(const struct camera *camera)
{
    char text[32] = "", size[32];
    knob_text(camera, "hdmi", text, sizeof text);
    for (int i = 0; timings_at((uint32_t)i) != NULL; i++) {
        snprintf(size, sizeof size, "%ux%u", known[i].width, known[i].height);
        if (strcmp(text, size) == 0) return i;
    }
    return -1;
}

int input_query(const struct camera *camera, struct v4l2_input *query)
{
    uint32_t index = query->index;
    if (index > (uint32_t)knob(camera, "hdmi")) return -EINVAL;
    memset(query, 0, sizeof *query);
    query->index = index;
    query->type = V4L2_INPUT_TYPE_CAMERA;
    strcpy((char *)query->name, index == 0 ? "Camera 1" : "HDMI");
    if (index == 1) {
        query->capabilities = V4L2_IN_CAP_DV_TIMINGS;
        query->status = coming_in(camera) < 0 ? V4L2_IN_ST_NO_SIGNAL : 0;
    }
    return 0;
}

/* Sets the first available mode, as drivers do. */
static int reset_mode(struct camera *camera)
{
    for (int i = 0; i < camera->mode_count; i++)
        if (mode_is_there(camera, &camera->modes[i])) {
            camera->mode = i;
            camera->rate = camera->modes[i].rates[0];
            break;
        }
    return 0;
}

int input_choose(struct camera_file *file, int input)
{
    if (input < 0 || input > knob(file->camera, "hdmi")) return -EINVAL;
    if (file->count > 0) return -EBUSY;
    file->camera->input = input;
    return reset_mode(file->camera);
}

int timings_request(struct camera_file *file, uint32_t request, struct v4l2_dv_timings *timings)
{
    struct camera *camera = file->camera;
    if (camera->input != 1) return -ENODATA;
    int found = camera->timings;
    if (request == (uint32_t)VIDIOC_QUERY_DV_TIMINGS && (found = coming_in(camera)) < 0)
        return -ENOLINK;
    if (request == (uint32_t)VIDIOC_S_DV_TIMINGS) {
        if (file->count > 0) return -EBUSY;
        for (found = 0; timings_at((uint32_t)found) != NULL; found++)
            if (known[found].width == timings->bt.width &&
                known[found].height == timings->bt.height)
                break;
        if (timings_at((uint32_t)found) == NULL) return -EINVAL;
        camera->timings = found;
        reset_mode(camera);
    }
    memset(timings, 0, sizeof *timings);
    timings->type = V4L2_DV_BT_656_1120;
    timings->bt = known[found];
    return 0;
}
