#pragma once
#include <curl/curl.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic macros; one function a type of value. */
static inline CURLcode copystand_curl_set_number(CURL *handle, CURLoption option, long value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode copystand_curl_set_size(CURL *handle, CURLoption option, curl_off_t value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode copystand_curl_set_text(CURL *handle, CURLoption option, const char *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode copystand_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode copystand_curl_set_pointer(CURL *handle, CURLoption option, void *value)
{
    return curl_easy_setopt(handle, option, value);
}

/* Both curl_write_callback and curl_read_callback. */
static inline CURLcode copystand_curl_set_transfer(
    CURL *handle, CURLoption option, size_t (*value)(char *, size_t, size_t, void *))
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode copystand_curl_set_mime(CURL *handle, curl_mime *value)
{
    return curl_easy_setopt(handle, CURLOPT_MIMEPOST, value);
}

static inline long copystand_curl_status(CURL *handle)
{
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
