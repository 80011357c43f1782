#include "CCurl.h"

#include <dlfcn.h>
#include <stddef.h>

#define FUNCTIONS(each)                                                                            \
    each(curl_global_init) each(curl_easy_init) each(curl_easy_cleanup) each(curl_easy_perform)    \
        each(curl_easy_setopt) each(curl_easy_reset) each(curl_easy_getinfo)                       \
            each(curl_easy_strerror) each(curl_slist_append) each(curl_slist_free_all)             \
                each(curl_mime_init) each(curl_mime_free) each(curl_mime_addpart)                  \
                    each(curl_mime_name) each(curl_mime_data) each(curl_mime_filedata)             \
                        each(curl_mime_filename) each(curl_mime_type)

static struct {
#define POINTER(name) __typeof__(&name) name;
    FUNCTIONS(POINTER)
} real;

static const char *problem;

/* The function that is called first, and only once. */
CURLcode curl_global_init(long flags)
{
    void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
#define FIND(name)                                                                                 \
    if (library && !(real.name = (__typeof__(real.name))dlsym(library, #name))) library = NULL;
    FUNCTIONS(FIND)
    if (!library) {
        problem = dlerror();
        return CURLE_FAILED_INIT;
    }
    return real.curl_global_init(flags);
}

const char *copystand_curl_problem(void) { return problem; }

CURL *curl_easy_init(void) { return real.curl_easy_init(); }
void curl_easy_reset(CURL *handle) { real.curl_easy_reset(handle); }
void curl_easy_cleanup(CURL *handle) { real.curl_easy_cleanup(handle); }
CURLcode curl_easy_perform(CURL *handle) { return real.curl_easy_perform(handle); }
const char *curl_easy_strerror(CURLcode code) { return real.curl_easy_strerror(code); }

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text)
{ return real.curl_slist_append(list, text); }
void curl_slist_free_all(struct curl_slist *list) { real.curl_slist_free_all(list); }

curl_mime *curl_mime_init(CURL *handle) { return real.curl_mime_init(handle); }
void curl_mime_free(curl_mime *form) { real.curl_mime_free(form); }
curl_mimepart *curl_mime_addpart(curl_mime *form) { return real.curl_mime_addpart(form); }
CURLcode curl_mime_name(curl_mimepart *part, const char *name)
{ return real.curl_mime_name(part, name); }
CURLcode curl_mime_data(curl_mimepart *part, const char *bytes, size_t count)
{ return real.curl_mime_data(part, bytes, count); }
CURLcode curl_mime_filedata(curl_mimepart *part, const char *path)
{ return real.curl_mime_filedata(part, path); }
CURLcode curl_mime_filename(curl_mimepart *part, const char *name)
{ return real.curl_mime_filename(part, name); }
CURLcode curl_mime_type(curl_mimepart *part, const char *type)
{ return real.curl_mime_type(part, type); }

CURLcode copystand_curl_set_number(CURL *handle, CURLoption option, long value)
{ return real.curl_easy_setopt(handle, option, value); }

CURLcode copystand_curl_set_size(CURL *handle, CURLoption option, curl_off_t value)
{ return real.curl_easy_setopt(handle, option, value); }

CURLcode copystand_curl_set_text(CURL *handle, CURLoption option, const char *value)
{ return real.curl_easy_setopt(handle, option, value); }

CURLcode copystand_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value)
{ return real.curl_easy_setopt(handle, option, value); }

CURLcode copystand_curl_set_pointer(CURL *handle, CURLoption option, void *value)
{ return real.curl_easy_setopt(handle, option, value); }

CURLcode copystand_curl_set_transfer(
    CURL *handle, CURLoption option, size_t (*value)(char *, size_t, size_t, void *))
{ return real.curl_easy_setopt(handle, option, value); }

CURLcode copystand_curl_set_progress(CURL *handle,
    int (*value)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *context)
{
    real.curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    real.curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    return real.curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

CURLcode copystand_curl_set_host_key(
    CURL *handle, int (*value)(void *, int, const char *, size_t), void *context)
{
    real.curl_easy_setopt(handle, CURLOPT_SSH_HOSTKEYDATA, context);
    return real.curl_easy_setopt(handle, CURLOPT_SSH_HOSTKEYFUNCTION, value);
}

CURLcode copystand_curl_set_mime(CURL *handle, curl_mime *value)
{ return real.curl_easy_setopt(handle, CURLOPT_MIMEPOST, value); }

long copystand_curl_status(CURL *handle)
{
    long status = 0;
    real.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

long copystand_curl_length(CURL *handle)
{
    curl_off_t length = -1;
    real.curl_easy_getinfo(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length;
}
