#include "Reader.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The codecs of phones and cameras, each with the decoder that is used. */
static const struct {
    enum AVCodecID codec;
    const char *decoder;
} known[] = {
    {AV_CODEC_ID_H264, "h264"},
    {AV_CODEC_ID_HEVC, "hevc"},
    {AV_CODEC_ID_VP8, "vp8"},
    {AV_CODEC_ID_VP9, "vp9"},
    {AV_CODEC_ID_AV1, "libdav1d"},
    {AV_CODEC_ID_MPEG4, "mpeg4"},
    {AV_CODEC_ID_H263, "h263"},
    {AV_CODEC_ID_MJPEG, "mjpeg"},
};

static const char *const demuxers[] = {
    [video_quicktime] = "mov", [video_matroska] = "matroska", [video_avi] = "avi"};

/* More packets in a row without a picture count as damage, and so do more failures of a reader or
 * decoder without new data. */
enum {
    most_pieces_between = 1000000,
    most_failures = 100,
    most_streams = 64,
    buffer_size = 64 << 10,
    most_threads = 4
};

static int is_stopped(const video_reader *reader)
{ return reader->stop && reader->stop(reader->context) != 0; }

/* The file as libavformat reads it */

static int read_bytes(void *opaque, uint8_t *bytes, int count)
{
    video_reader *reader = opaque;
    if (is_stopped(reader)) return AVERROR_EXIT;
    if (reader->offset >= reader->size) return AVERROR_EOF;
    if (count > reader->size - reader->offset) count = (int)(reader->size - reader->offset);
    ssize_t got;
    do {
        got = pread(reader->descriptor, bytes, (size_t)count, (off_t)reader->offset);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        reader->failure = errno;
        return AVERROR(errno);
    }
    if (got == 0) return AVERROR_EOF;
    reader->offset += got;
    return (int)got;
}

static int64_t move_to(void *opaque, int64_t offset, int whence)
{
    video_reader *reader = opaque;
    int64_t base = 0, place;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return reader->size;
    case SEEK_SET: break;
    case SEEK_CUR: base = reader->offset; break;
    case SEEK_END: base = reader->size; break;
    default: return AVERROR(EINVAL);
    }
    if (__builtin_add_overflow(base, offset, &place) || place < 0) return AVERROR(EINVAL);
    return reader->offset = place;
}

static int open_nothing(
    AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options)
{
    (void)format, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

/* Outcomes */

static video_outcome explain(
    video_reader *reader, int error, video_outcome otherwise, char *message, size_t length)
{
    video_complaint(message, length);
    if (reader->failure) {
        snprintf(message, length, "%s", strerror(reader->failure));
        return video_unreadable;
    }
    if (error == AVERROR_EXIT || is_stopped(reader)) return video_stopped;
    if (error == AVERROR(ENOMEM)) return video_no_memory;
    if (message[0] == 0 && reader->av->av_strerror(error, message, length) != 0) message[0] = 0;
    return otherwise;
}

/* Opening */

static int open_container(video_reader *reader, video_container container)
{
    const struct video_libraries *av = reader->av;
    uint8_t *buffer = av->av_malloc(buffer_size);
    if (!buffer) return AVERROR(ENOMEM);
    reader->io = av->avio_alloc_context(buffer, buffer_size, 0, reader, read_bytes, NULL, move_to);
    if (!reader->io) {
        av->av_freep(&buffer);
        return AVERROR(ENOMEM);
    }
    reader->format = av->avformat_alloc_context();
    if (!reader->format) return AVERROR(ENOMEM);
    reader->format->pb = reader->io;
    reader->format->flags |= AVFMT_FLAG_CUSTOM_IO;
    reader->format->io_open = open_nothing;
    reader->format->max_streams = most_streams;
    /* Containers can hold others, such as subtitles in AVI. */
    AVDictionary *options = NULL;
    int result = av->av_dict_set(&options, "format_whitelist", "mov,matroska,avi", 0);
    if (result >= 0) {
        const AVInputFormat *demuxer = av->av_find_input_format(demuxers[container]);
        result = demuxer ? av->avformat_open_input(&reader->format, NULL, demuxer, &options)
                         : AVERROR_DEMUXER_NOT_FOUND;
    }
    av->av_dict_free(&options);
    return result;
}

/* The first video stream; a film's cover picture does not count. */
static AVStream *pictures(const AVFormatContext *format)
{
    AVStream *found = NULL;
    for (unsigned index = 0; index < format->nb_streams; index++) {
        AVStream *stream = format->streams[index];
        stream->discard = AVDISCARD_ALL;
        if (found || stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO) continue;
        if (stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS))
            continue;
        stream->discard = AVDISCARD_DEFAULT;
        found = stream;
    }
    return found;
}

static int open_decoder(video_reader *reader, const AVCodec *codec, int64_t most_pixels)
{
    const struct video_libraries *av = reader->av;
    AVCodecContext *decoder = av->avcodec_alloc_context3(codec);
    if (!decoder) return AVERROR(ENOMEM);
    reader->decoder = decoder;
    int result = av->avcodec_parameters_to_context(decoder, reader->stream->codecpar);
    if (result < 0) return result;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    decoder->thread_count = cores < 1 ? 1 : cores > most_threads ? most_threads : (int)cores;
    decoder->pkt_timebase = reader->stream->time_base;
    decoder->max_pixels = most_pixels;
    /* Flawed pictures are marked instead of left out. */
    decoder->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
#if LIBAVCODEC_VERSION_MAJOR >= 61
    decoder->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
#endif
    decoder->err_recognition = AV_EF_CRCCHECK;
    /* Of these decoders, only that for HEVC invents parts without a report, unless it is told to
     * stop there. */
    if (codec->id == AV_CODEC_ID_HEVC) decoder->err_recognition |= AV_EF_EXPLODE;
    return av->avcodec_open2(decoder, codec, NULL);
}

static const AVCodec *decoder_for(const video_reader *reader)
{
    for (size_t index = 0; index < sizeof known / sizeof *known; index++) {
        if (known[index].codec == reader->stream->codecpar->codec_id) {
            return reader->av->avcodec_find_decoder_by_name(known[index].decoder);
        }
    }
    return NULL;
}

static double number(AVRational value)
{ return value.num > 0 && value.den > 0 ? av_q2d(value) : 0; }

static void tell_facts(video_reader *reader, video_facts *facts)
{
    const AVStream *stream = reader->stream;
    double rate = number(stream->avg_frame_rate);
    *facts = (video_facts){
        .codec = reader->av->avcodec_get_name(stream->codecpar->codec_id),
        .width = stream->codecpar->width,
        .height = stream->codecpar->height,
        .rate = rate > 0 ? rate : number(stream->r_frame_rate),
        .count = reader->whole,
    };
}

static video_outcome opened(video_reader *reader, video_container container, int64_t most_pixels,
    video_facts *facts, char *message, size_t length)
{
    int result = open_container(reader, container);
    if (result < 0) return explain(reader, result, video_damaged, message, length);
    reader->stream = pictures(reader->format);
    if (!reader->stream) return video_no_picture;
    /* A film in fragments lists its pictures piece by piece, so the total is not known. */
    if (container == video_quicktime && reader->stream->nb_frames > 0) {
        reader->whole = reader->av->avformat_index_get_entries_count(reader->stream);
    }
    tell_facts(reader, facts);
    const AVCodec *codec = decoder_for(reader);
    if (!codec) {
        snprintf(message, length, "%s", facts->codec);
        return video_no_decoder;
    }
    result = open_decoder(reader, codec, most_pixels);
    if (result < 0) return explain(reader, result, video_damaged, message, length);
    reader->packet = reader->av->av_packet_alloc();
    reader->frame = reader->av->av_frame_alloc();
    return reader->packet && reader->frame ? video_good : video_no_memory;
}

video_outcome video_open(int descriptor, int64_t size, video_container container,
    int64_t most_pixels, video_stop stop, const void *context, video_reader **reader,
    video_facts *facts, char *message, size_t length)
{
    *reader = NULL;
    message[0] = 0;
    const struct video_libraries *av = video_libraries(message, length);
    if (!av) return video_no_library;
    video_reader *made = calloc(1, sizeof *made);
    if (!made) return video_no_memory;
    made->av = av;
    made->descriptor = descriptor;
    made->size = size;
    made->stop = stop;
    made->context = context;
    made->turn = 1;
    video_complaint(message, length);
    message[0] = 0;
    video_outcome outcome = opened(made, container, most_pixels, facts, message, length);
    made->stop = NULL;
    if (outcome == video_good) {
        *reader = made;
    } else {
        video_close(made);
    }
    return outcome;
}

void video_close(video_reader *reader)
{
    if (!reader) return;
    const struct video_libraries *av = reader->av;
    av->sws_freeContext(reader->scaler);
    free(reader->scaled.memory);
    free(reader->drawn.memory);
    if (reader->frame) av->av_frame_free(&reader->frame);
    if (reader->packet) av->av_packet_free(&reader->packet);
    if (reader->decoder) av->avcodec_free_context(&reader->decoder);
    if (reader->format) av->avformat_close_input(&reader->format);
    if (reader->io) {
        av->av_freep(&reader->io->buffer);
        av->avio_context_free(&reader->io);
    }
    free(reader);
}

/* Decoding */

/* Computes how a matrix of MP4 turns the stored picture: rows (a b u) (c d v) (x y w), as in
 * libavutil/display.h. */
static int turn_of(const int32_t *matrix)
{
    int64_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
    if (llabs(a) + llabs(d) >= llabs(b) + llabs(c))
        return a >= 0 ? (d >= 0 ? 1 : 4) : (d >= 0 ? 2 : 3);
    return b >= 0 ? (c >= 0 ? 5 : 6) : (c >= 0 ? 8 : 7);
}

static int display_turn(const video_reader *reader)
{
    const struct video_libraries *av = reader->av;
    const AVFrameSideData *own =
        av->av_frame_get_side_data(reader->frame, AV_FRAME_DATA_DISPLAYMATRIX);
    if (own && own->size >= 9 * sizeof(int32_t)) return turn_of((const int32_t *)own->data);
    size_t size = 0;
    const uint8_t *data =
        av->av_stream_get_side_data(reader->stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= 9 * sizeof(int32_t) ? turn_of((const int32_t *)data) : 1;
}

/* The number that `number_packet` gave to the packet of a picture. */
static int64_t packet_number(const AVFrame *frame)
{
#if LIBAVCODEC_VERSION_MAJOR >= 61
    return (intptr_t)frame->opaque;
#else
    return frame->reordered_opaque;
#endif
}

/* Numbers the packet that is sent to the decoder next, for its picture. */
static void number_packet(video_reader *reader)
{
#if LIBAVCODEC_VERSION_MAJOR >= 61
    reader->packet->opaque = (void *)(intptr_t)reader->taken;
#else
    reader->decoder->reordered_opaque = reader->taken;
#endif
}

static void tell_picture(video_reader *reader, video_picture *picture)
{
    const AVFrame *frame = reader->frame;
    int64_t time = frame->best_effort_timestamp;
    reader->turn = display_turn(reader);
    *picture = (video_picture){
        .turn = reader->turn,
        .is_gray = video_is_gray(reader->av->av_pix_fmt_desc_get(frame->format)),
        .is_absolute = frame->color_trc == AVCOL_TRC_SMPTE2084,
        .is_key = frame->key_frame != 0,
        .is_flawed = frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0,
        .number = packet_number(frame),
        .last = packet_number(frame),
        .time = time == AV_NOPTS_VALUE ? NAN : (double)time * av_q2d(reader->stream->time_base),
    };
    video_square_size(reader, frame, &picture->width, &picture->height);
}

/* Gives the decoder the next piece of the stream: 0, or an error code of the decoder. */
static int feed(video_reader *reader)
{
    const struct video_libraries *av = reader->av;
    av->av_packet_unref(reader->packet);
    int result = av->av_read_frame(reader->format, reader->packet);
    if (result < 0) {
        /* Pieces that a list places beyond the file's end fail one by one. */
        if (result != AVERROR_EOF) reader->is_cut = 1;
        if (result != AVERROR_EOF && !reader->failure && ++reader->failures < most_failures)
            return 0;
        reader->has_ended = 1;
        if (reader->whole > reader->taken) reader->is_cut = 1;
        return av->avcodec_send_packet(reader->decoder, NULL);
    }
    reader->failures = 0;
    if (reader->packet->stream_index != reader->stream->index) return 0;
    reader->taken++;
    if (reader->packet->flags & AV_PKT_FLAG_CORRUPT) {
        reader->is_cut = 1;
        return 0;
    }
    number_packet(reader);
    return av->avcodec_send_packet(reader->decoder, reader->packet);
}

static video_outcome decoded(
    video_reader *reader, video_picture *picture, char *message, size_t length)
{
    const struct video_libraries *av = reader->av;
    for (int pieces = 0; pieces < most_pieces_between; pieces++) {
        if (is_stopped(reader)) return video_stopped;
        int result = av->avcodec_receive_frame(reader->decoder, reader->frame);
        if (result == 0) {
            video_complaint(message, length);
            message[0] = 0;
            tell_picture(reader, picture);
            if (video_has_planes(reader)) return video_good;
            snprintf(message, length, "a plane of its pixels is missing");
            return video_broken;
        }
        if (result == AVERROR_EOF) {
            if (reader->failure)
                return explain(reader, AVERROR(reader->failure), video_unreadable, message, length);
            int is_cut = reader->is_cut;
            reader->is_cut = 0;
            return is_cut ? video_broken_off : video_ended;
        }
        if (result == AVERROR(EAGAIN)) {
            result = feed(reader);
            if (result >= 0) continue;
        }
        /* A decoder's threads work on this many pieces at once. */
        picture->number = reader->taken - reader->decoder->thread_count + 1;
        picture->last = reader->taken;
        if (reader->has_ended && ++reader->failures > most_failures) break;
        return explain(reader, result, video_broken, message, length);
    }
    snprintf(message, length, "no picture has come for a long time");
    return video_damaged;
}

video_outcome video_next(video_reader *reader, video_stop stop, const void *context,
    video_picture *picture, char *message, size_t length)
{
    message[0] = 0;
    reader->stop = stop;
    reader->context = context;
    video_outcome outcome = decoded(reader, picture, message, length);
    reader->stop = NULL;
    return outcome;
}
