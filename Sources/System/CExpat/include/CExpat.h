#pragma once
/* Reads XML through libexpat, which is loaded when it is first needed. */
#include <stddef.h>

/* Callbacks for the parts of a document. A name is its namespace, a space, and its local name;
   without a namespace it is just the name. Each returns 0 to continue, and anything else to end the
   reading. */
typedef struct {
    void *context;
    int (*begin)(void *context, const char *name);
    int (*text)(void *context, const char *text, size_t count);
    int (*end)(void *context);
} copystand_xml_reader;

typedef enum {
    copystand_xml_done,
    /* The document is malformed, or ends early. */
    copystand_xml_malformed,
    /* The document declares a type, and so may define entities. */
    copystand_xml_has_doctype,
    /* A callback of the reader ended the reading. */
    copystand_xml_stopped,
    /* libexpat is not installed, or there is no memory. */
    copystand_xml_unavailable
} copystand_xml_result;

copystand_xml_result copystand_xml_read(
    const char *bytes, size_t count, const copystand_xml_reader *reader);
