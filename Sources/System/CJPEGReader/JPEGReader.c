#include "CJPEGReader.h"
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file with more scans than any program writes could take unlimited time. */
enum { most_scans = 500 };

struct jpeg_reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    int (*stop)(const void *context);
    const void *context;
    char damage[JMSG_LENGTH_MAX];
    char text[JMSG_LENGTH_MAX];
    int isOdd;
    int hasEnded;
    uint32_t missingFrom;
    /* The coefficients of pictures in several scans: an array of blocks for each component. */
    jvirt_barray_ptr (*request)(
        j_common_ptr, int, boolean, JDIMENSION, JDIMENSION, JDIMENSION);
    jvirt_barray_ptr coefficients[MAX_COMPONENTS];
    JDIMENSION blocks[MAX_COMPONENTS], blockRows[MAX_COMPONENTS];
    int arrays;
    /* The number of rows of MCUs whose coefficients were freed, because they are no longer
       needed. */
    JDIMENSION released;
};

static void fail(j_common_ptr common)
{
    jpeg_reader *reader = common->client_data;
    common->err->format_message(common, reader->text);
    longjmp(reader->failed, 1);
}

static void say_nothing(j_common_ptr common) { (void)common; }

/* True for warnings about pixels; other warnings concern metadata. */
static int is_damage(const jpeg_reader *reader, int code)
{
    switch (code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_MUST_RESYNC: return 1;
    /* Without an end marker, every pixel may still be there, but perhaps not every scan. */
    case JWRN_JPEG_EOF: return reader->jpeg.progressive_mode;
    default: return 0;
    }
}

static void warn(j_common_ptr common, int level)
{
    if (level >= 0) return;
    jpeg_reader *reader = common->client_data;
    int code = common->err->msg_code;
    reader->isOdd = 1;
    if (code == JWRN_JPEG_EOF && !reader->hasEnded) {
        reader->hasEnded = 1;
        uint64_t rows = (uint64_t)(reader->jpeg.input_iMCU_row + 1) *
                        (uint64_t)reader->jpeg.max_v_samp_factor * DCTSIZE;
        if (!reader->jpeg.progressive_mode && rows < reader->jpeg.image_height)
            reader->missingFrom = (uint32_t)rows;
    }
    if (reader->damage[0] == 0 && is_damage(reader, code))
        common->err->format_message(common, reader->damage);
}

static void look_up(j_common_ptr common)
{
    jpeg_reader *reader = common->client_data;
    if (reader->jpeg.input_scan_number > most_scans) {
        strcpy(reader->text, "it has more than 500 scans");
        longjmp(reader->failed, 1);
    }
    if (reader->stop && reader->stop(reader->context)) {
        strcpy(reader->text, "the reading was stopped");
        longjmp(reader->failed, 1);
    }
}

static void tell(const jpeg_reader *reader, char *message, size_t length)
{
    if (length > 0) snprintf(message, length, "%s", reader->text);
}

static jvirt_barray_ptr note_array(j_common_ptr common, int pool, boolean isZero,
    JDIMENSION blocks, JDIMENSION rows, JDIMENSION access)
{
    jpeg_reader *reader = common->client_data;
    jvirt_barray_ptr array = reader->request(common, pool, isZero, blocks, rows, access);
    if (reader->arrays < MAX_COMPONENTS) {
        reader->coefficients[reader->arrays] = array;
        reader->blocks[reader->arrays] = blocks;
        reader->blockRows[reader->arrays] = rows;
    }
    reader->arrays++;
    return array;
}

/* Frees the memory of a row of blocks, and makes the row empty. */
static void release_row(jpeg_reader *reader, int index, JDIMENSION row)
{
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    if (row >= reader->blockRows[index]) return;
    JBLOCKARRAY rows = jpeg->mem->access_virt_barray(
        (j_common_ptr)jpeg, reader->coefficients[index], row, 1, FALSE);
    uintptr_t const page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t const start = ((uintptr_t)rows[0] + page - 1) / page * page;
    uintptr_t const end =
        ((uintptr_t)rows[0] + reader->blocks[index] * sizeof(JBLOCK)) / page * page;
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
}

/* A large picture's coefficients take as much memory as its pixels, so they are freed as rows are
 * read. Those of the last rows are kept, since smoothing uses neighboring blocks. */
static void release_passed(jpeg_reader *reader)
{
    enum { kept = 4 };
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    if (reader->arrays != jpeg->num_components || reader->arrays > MAX_COMPONENTS) return;
    JDIMENSION const passed =
        jpeg->output_scanline / ((JDIMENSION)jpeg->max_v_samp_factor * DCTSIZE);
    for (; reader->released + kept < passed; reader->released++) {
        for (int index = 0; index < reader->arrays; index++) {
            JDIMENSION const factor = (JDIMENSION)jpeg->comp_info[index].v_samp_factor;
            for (JDIMENSION row = 0; row < factor; row++)
                release_row(reader, index, reader->released * factor + row);
        }
    }
}

static int is_usual(const struct jpeg_decompress_struct *jpeg)
{
    if (jpeg->num_components == 1) return 1;
    if (jpeg->num_components != 3) return 0;
    const jpeg_component_info *parts = jpeg->comp_info;
    for (int index = 1; index < 3; index++) {
        if (parts[index].h_samp_factor != 1 || parts[index].v_samp_factor != 1) return 0;
    }
    int across = parts[0].h_samp_factor, down = parts[0].v_samp_factor;
    return (across == 1 && down <= 2) || (across == 2 && down <= 2) || (across == 4 && down == 1);
}

static void describe(jpeg_reader *reader, jpeg_facts *facts)
{
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE:
        jpeg->out_color_space = JCS_GRAYSCALE;
        facts->samples = 1;
        break;
    case JCS_CMYK:
    case JCS_YCCK:
        jpeg->out_color_space = JCS_CMYK;
        facts->samples = 4;
        break;
    case JCS_RGB:
    case JCS_YCbCr:
        jpeg->out_color_space = JCS_RGB;
        facts->samples = 3;
        break;
    default: facts->samples = 0;
    }
    facts->width = jpeg->image_width;
    facts->height = jpeg->image_height;
    facts->isYCbCr = jpeg->jpeg_color_space == JCS_YCbCr;
    facts->isProgressive = jpeg_has_multiple_scans(jpeg);
    facts->isUsualSampling = is_usual(jpeg);
    for (int index = 0; facts->isProgressive && index < jpeg->num_components; index++) {
        const jpeg_component_info *part = &jpeg->comp_info[index];
        facts->coefficientBytes +=
            (uint64_t)part->width_in_blocks * part->height_in_blocks * DCTSIZE2 * sizeof(JCOEF);
    }
    reader->missingFrom = jpeg->image_height;
}

jpeg_reader *jpeg_reader_open(
    const uint8_t *bytes, size_t count, jpeg_facts *facts, char *message, size_t messageLength)
{
    jpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    memset(facts, 0, sizeof *facts);
    reader->jpeg.err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = fail;
    reader->errors.output_message = say_nothing;
    reader->errors.emit_message = warn;
    reader->jpeg.client_data = reader;
    if (setjmp(reader->failed)) {
        tell(reader, message, messageLength);
        jpeg_reader_close(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->jpeg);
    reader->jpeg.client_data = reader;
    reader->request = reader->jpeg.mem->request_virt_barray;
    reader->jpeg.mem->request_virt_barray = note_array;
    jpeg_mem_src(&reader->jpeg, bytes, count);
    jpeg_read_header(&reader->jpeg, TRUE);
    describe(reader, facts);
    return reader;
}

int jpeg_reader_begin(jpeg_reader *reader, int (*stop)(const void *context), const void *context,
    char *message, size_t messageLength)
{
    if (setjmp(reader->failed)) {
        tell(reader, message, messageLength);
        return -1;
    }
    reader->stop = stop;
    reader->context = context;
    reader->progress.progress_monitor = look_up;
    reader->jpeg.progress = &reader->progress;
    reader->jpeg.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&reader->jpeg);
    return 0;
}

int jpeg_reader_row(jpeg_reader *reader, uint8_t *row, char *message, size_t messageLength)
{
    if (setjmp(reader->failed)) {
        tell(reader, message, messageLength);
        return -1;
    }
    JSAMPROW rows[1] = {row};
    if (jpeg_read_scanlines(&reader->jpeg, rows, 1) != 1) return -1;
    if (reader->arrays > 0) release_passed(reader);
    return 0;
}

const char *jpeg_reader_damage(const jpeg_reader *reader)
{ return reader->damage[0] ? reader->damage : NULL; }

int jpeg_reader_is_odd(const jpeg_reader *reader) { return reader->isOdd; }

uint32_t jpeg_reader_missing_from(const jpeg_reader *reader) { return reader->missingFrom; }

void jpeg_reader_close(jpeg_reader *reader)
{
    if (!reader) return;
    jpeg_destroy_decompress(&reader->jpeg);
    free(reader);
}
