#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#define VIDEO_FORMAT(each)                                                                         \
    each(avformat_alloc_context) each(avformat_open_input) each(avformat_close_input)              \
        each(av_find_input_format) each(av_read_frame) each(avio_alloc_context)                    \
            each(avio_context_free) each(av_guess_sample_aspect_ratio)                             \
                each(av_stream_get_side_data) each(avformat_index_get_entries_count)
#define VIDEO_CODEC(each)                                                                          \
    each(avcodec_find_decoder_by_name) each(avcodec_get_name) each(avcodec_alloc_context3)         \
        each(avcodec_parameters_to_context) each(avcodec_open2) each(avcodec_free_context)         \
            each(avcodec_send_packet) each(avcodec_receive_frame) each(av_packet_alloc)            \
                each(av_packet_free) each(av_packet_unref)
#define VIDEO_UTILITY(each)                                                                        \
    each(av_malloc) each(av_freep) each(av_dict_set) each(av_dict_free) each(av_frame_alloc)       \
        each(av_frame_free) each(av_frame_get_side_data) each(av_pix_fmt_desc_get)                 \
            each(av_log_set_callback) each(av_strerror)
#define VIDEO_SCALE(each)                                                                          \
    each(sws_getCachedContext) each(sws_freeContext) each(sws_setColorspaceDetails)                \
        each(sws_getCoefficients) each(sws_scale)

/* The libraries' functions, by their names. */
struct video_libraries {
#define VIDEO_POINTER(name) __typeof__(&name) name;
    VIDEO_FORMAT(VIDEO_POINTER)
    VIDEO_CODEC(VIDEO_POINTER)
    VIDEO_UTILITY(VIDEO_POINTER)
    VIDEO_SCALE(VIDEO_POINTER)
};

/* Loads the libraries, once; NULL if one is missing, which `message` names. */
const struct video_libraries *video_libraries(char *message, size_t length);

/* Returns and clears the libraries' last error message in this process; empty if there is none. */
void video_complaint(char *message, size_t length);
