#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/* libcurl without linking to it: the functions of curl.h that are used, each of which loads the
   real one when it is first needed (dlopen). libcurl loads nineteen libraries, which took a
   third of the program's start time, and only code that uses HTTP needs it. No function may be
   called before curl_global_init has returned CURLE_OK; it returns CURLE_FAILED_INIT if libcurl
   is not installed. */

/* The reason why libcurl could not be loaded; NULL when it could, or was not needed yet. */
const char *copystand_curl_problem(void);

/* curl_easy_setopt and curl_easy_getinfo are variadic macros; these are one function per type. */
CURLcode copystand_curl_set_number(CURL *handle, CURLoption option, long value);
CURLcode copystand_curl_set_size(CURL *handle, CURLoption option, curl_off_t value);
CURLcode copystand_curl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode copystand_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode copystand_curl_set_pointer(CURL *handle, CURLoption option, void *value);
/* Sets both curl_write_callback and curl_read_callback. */
CURLcode copystand_curl_set_transfer(
    CURL *handle, CURLoption option, size_t (*value)(char *, size_t, size_t, void *));
/* Called about once a second, also while no data arrives; any result but 0 ends the transfer. */
CURLcode copystand_curl_set_progress(CURL *handle,
    int (*value)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *context);
/* Called with the key of an SSH server; any result but 0 ends the connection. */
CURLcode copystand_curl_set_host_key(
    CURL *handle, int (*value)(void *, int, const char *, size_t), void *context);
CURLcode copystand_curl_set_mime(CURL *handle, curl_mime *value);
long copystand_curl_status(CURL *handle);
/* The length of the last requested file; -1 if the server did not state it. */
long copystand_curl_length(CURL *handle);
