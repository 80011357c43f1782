#include "model.h"
#include <errno.h>
#include <string.h>

static const char *const power_line[] = {"Disabled", "50 Hz", "60 Hz"};
/* A menu with gaps, as cameras have. */
static const char *const exposure[] = {NULL, "Manual Mode", NULL, "Aperture Priority Mode"};
static const int64_t sensitivities[] = {100, 200, 400, 800};

void controls_load(struct camera *camera)
{
    const uint32_t title = V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_WRITE_ONLY;
    const struct control all[] = {
        /* The controls in the order of their ids, as V4L2_CTRL_FLAG_NEXT_CTRL requires. */
        {V4L2_CID_USER_CLASS, V4L2_CTRL_TYPE_CTRL_CLASS, title, "User Controls", 0, 0, 0, 0, 0, 0,
            0},
        {V4L2_CID_BRIGHTNESS, V4L2_CTRL_TYPE_INTEGER, 0, "Brightness", -64, 64, 1, 0, 0, 0, 0},
        {V4L2_CID_AUTO_WHITE_BALANCE, V4L2_CTRL_TYPE_BOOLEAN, V4L2_CTRL_FLAG_UPDATE,
            "White Balance, Automatic", 0, 1, 1, 1, 0, 0, 0},
        {V4L2_CID_DO_WHITE_BALANCE, V4L2_CTRL_TYPE_BUTTON, V4L2_CTRL_FLAG_WRITE_ONLY,
            "Do White Balance", 0, 0, 0, 0, 0, 0, 0},
        {V4L2_CID_GAIN, V4L2_CTRL_TYPE_INTEGER, 0, "Gain", 0, 255, 1, 16, 0, 0, 0},
        {V4L2_CID_POWER_LINE_FREQUENCY, V4L2_CTRL_TYPE_MENU, 0, "Power Line Frequency", 0, 2, 1, 1,
            0, 0, 0},
        {V4L2_CID_WHITE_BALANCE_TEMPERATURE, V4L2_CTRL_TYPE_INTEGER, 0, "White Balance Temperature",
            2800, 6500, 1, 4600, 0, V4L2_CID_AUTO_WHITE_BALANCE, 0},
        {V4L2_CID_CAMERA_CLASS, V4L2_CTRL_TYPE_CTRL_CLASS, title, "Camera Controls", 0, 0, 0, 0, 0,
            0, 0},
        {V4L2_CID_EXPOSURE_AUTO, V4L2_CTRL_TYPE_MENU, V4L2_CTRL_FLAG_UPDATE, "Auto Exposure", 0, 3,
            1, 3, 0, 0, 0},
        {V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CTRL_TYPE_INTEGER, 0, "Exposure Time, Absolute", 3, 2047,
            1, 250, 0, V4L2_CID_EXPOSURE_AUTO, V4L2_EXPOSURE_MANUAL},
        {V4L2_CID_FOCUS_ABSOLUTE, V4L2_CTRL_TYPE_INTEGER, 0, "Focus, Absolute", 0, 250, 5, 0, 0,
            V4L2_CID_FOCUS_AUTO, 0},
        {V4L2_CID_FOCUS_AUTO, V4L2_CTRL_TYPE_BOOLEAN, V4L2_CTRL_FLAG_UPDATE,
            "Focus, Automatic Continuous", 0, 1, 1, 1, 0, 0, 0},
        {V4L2_CID_ISO_SENSITIVITY, V4L2_CTRL_TYPE_INTEGER_MENU, 0, "ISO Sensitivity", 0, 3, 1, 1, 0,
            0, 0},
        {V4L2_CID_PIXEL_RATE, V4L2_CTRL_TYPE_INTEGER64, V4L2_CTRL_FLAG_READ_ONLY, "Pixel Rate", 0,
            10000000000, 1, 5000000000, 0, 0, 0},
    };
    camera->control_count = sizeof all / sizeof all[0];
    memcpy(camera->controls, all, sizeof all);
    for (int i = 0; i < camera->control_count; i++)
        camera->controls[i].value = camera->controls[i].standard;
}

struct control *control_find(struct camera *camera, uint32_t id)
{
    for (int i = 0; i < camera->control_count; i++)
        if (camera->controls[i].id == id) return &camera->controls[i];
    return NULL;
}

static int is_governed(struct camera *camera, const struct control *control)
{
    return control->governor != 0 &&
           control_find(camera, control->governor)->value != control->manual;
}

/* The name of a menu's entry, or NULL. */
static const char *entry(uint32_t id, int64_t index)
{
    if (id == V4L2_CID_POWER_LINE_FREQUENCY && index >= 0 && index < 3) return power_line[index];
    return id == V4L2_CID_EXPOSURE_AUTO && index >= 0 && index < 4 ? exposure[index] : NULL;
}

int control_set(struct camera *camera, uint32_t id, int64_t value)
{
    struct control *control = control_find(camera, id);
    if (control == NULL) return -EINVAL;
    if ((control->flags & V4L2_CTRL_FLAG_READ_ONLY) || is_governed(camera, control)) return -EACCES;
    switch (control->type) {
    case V4L2_CTRL_TYPE_BUTTON: return 0;
    case V4L2_CTRL_TYPE_MENU:
    case V4L2_CTRL_TYPE_INTEGER_MENU:
        if (value < control->least || value > control->most) return -ERANGE;
        if (control->type == V4L2_CTRL_TYPE_MENU && entry(id, value) == NULL) return -EINVAL;
        break;
    default:
        /* Drivers take the nearest valid value. */
        value = value < control->least  ? control->least
                : value > control->most ? control->most
                                        : value;
        value = control->least +
                (value - control->least + control->step / 2) / control->step * control->step;
        if (value > control->most) value -= control->step;
    }
    control->value = value;
    return 0;
}

int control_query(struct camera *camera, struct v4l2_query_ext_ctrl *query)
{
    const uint32_t next = V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND;
    const struct control *found = NULL;
    if ((query->id & next) == V4L2_CTRL_FLAG_NEXT_COMPOUND) return -EINVAL;
    if (query->id & next) {
        for (int i = 0; i < camera->control_count && found == NULL; i++)
            if (camera->controls[i].id > (query->id & ~next)) found = &camera->controls[i];
    } else {
        found = control_find(camera, query->id);
    }
    if (found == NULL) return -EINVAL;
    memset(query, 0, sizeof *query);
    query->id = found->id;
    query->type = found->type;
    strncpy(query->name, found->name, sizeof query->name - 1);
    query->minimum = found->least;
    query->maximum = found->most;
    query->step = (uint64_t)found->step;
    query->default_value = found->standard;
    query->flags = found->flags | (is_governed(camera, found) ? V4L2_CTRL_FLAG_INACTIVE : 0);
    query->elem_size = found->type == V4L2_CTRL_TYPE_INTEGER64 ? 8 : 4;
    query->elems = 1;
    return 0;
}

int control_menu(struct camera *camera, struct v4l2_querymenu *query)
{
    const struct control *control = control_find(camera, query->id);
    if (control == NULL || query->index > (uint64_t)control->most) return -EINVAL;
    query->reserved = 0;
    if (control->type == V4L2_CTRL_TYPE_INTEGER_MENU) {
        query->value = sensitivities[query->index];
        return 0;
    }
    const char *name = entry(query->id, query->index);
    if (name == NULL) return -EINVAL;
    memset(query->name, 0, sizeof query->name);
    strncpy((char *)query->name, name, sizeof query->name - 1);
    return 0;
}

int camera_list_request(struct camera_file *file, uint32_t request,
    struct v4l2_ext_controls *controls, struct v4l2_ext_control *list)
{
    struct camera *camera = file->camera;
    if (camera_is_unplugged(camera)) return -ENODEV;
    controls->error_idx = controls->count;
    int is_reading = request == (uint32_t)VIDIOC_G_EXT_CTRLS;
    int is_standard = controls->which == V4L2_CTRL_WHICH_DEF_VAL;
    if (is_standard && !is_reading) return -EINVAL;
    for (uint32_t i = 0; i < controls->count; i++) {
        struct control *control = control_find(camera, list[i].id);
        int is_listed = controls->which == V4L2_CTRL_WHICH_CUR_VAL || is_standard ||
                        controls->which == V4L2_CTRL_ID2WHICH(list[i].id);
        int failure = control == NULL || !is_listed ? -EINVAL : 0;
        if (failure == 0 && !is_reading) {
            int64_t before = control->value;
            int is_wide = control->type == V4L2_CTRL_TYPE_INTEGER64;
            failure = control_set(camera, control->id, is_wide ? list[i].value64 : list[i].value);
            if (failure == 0 && request == (uint32_t)VIDIOC_TRY_EXT_CTRLS) control->value = before;
        }
        if (failure != 0) {
            controls->error_idx = i;
            return failure;
        }
        int64_t value = is_standard ? control->standard : control->value;
        if (control->type == V4L2_CTRL_TYPE_INTEGER64)
            list[i].value64 = value;
        else
            list[i].value = (int32_t)value;
    }
    return 0;
}
