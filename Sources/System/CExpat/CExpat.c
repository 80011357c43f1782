#include "CExpat.h"

#include <dlfcn.h>
#include <expat.h>
#include <limits.h>
#include <pthread.h>

#define FUNCTIONS(each)                                                                            \
    each(XML_ParserCreateNS) each(XML_ParserFree) each(XML_Parse) each(XML_StopParser)             \
        each(XML_SetUserData) each(XML_SetElementHandler) each(XML_SetCharacterDataHandler)        \
            each(XML_SetStartDoctypeDeclHandler)

static struct {
#define POINTER(name) __typeof__(&name) name;
    FUNCTIONS(POINTER)
} real;

static int isLoaded;

static void load(void)
{
    void *library = dlopen("libexpat.so.1", RTLD_LAZY | RTLD_LOCAL);
#define FIND(name)                                                                                 \
    if (library && !(real.name = (__typeof__(real.name))dlsym(library, #name))) library = NULL;
    FUNCTIONS(FIND)
    isLoaded = library != NULL;
}

typedef struct {
    const copystand_xml_reader *reader;
    XML_Parser parser;
    copystand_xml_result end;
} reading;

static void stop(reading *now, copystand_xml_result end)
{
    /* libexpat may report more before it stops; the first reason stays. */
    if (now->end == copystand_xml_done) now->end = end;
    real.XML_StopParser(now->parser, XML_FALSE);
}

static void begin(void *context, const XML_Char *name, const XML_Char **attributes)
{
    (void)attributes;
    reading *now = context;
    if (now->end == copystand_xml_done && now->reader->begin(now->reader->context, name))
        stop(now, copystand_xml_stopped);
}

static void end(void *context, const XML_Char *name)
{
    (void)name;
    reading *now = context;
    if (now->end == copystand_xml_done && now->reader->end(now->reader->context))
        stop(now, copystand_xml_stopped);
}

static void text(void *context, const XML_Char *bytes, int count)
{
    reading *now = context;
    if (now->end == copystand_xml_done &&
        now->reader->text(now->reader->context, bytes, (size_t)count)) {
        stop(now, copystand_xml_stopped);
    }
}

static void doctype(void *context, const XML_Char *name, const XML_Char *system,
    const XML_Char *public, int hasSubset)
{
    (void)name, (void)system, (void)public, (void)hasSubset;
    stop(context, copystand_xml_has_doctype);
}

copystand_xml_result copystand_xml_read(
    const char *bytes, size_t count, const copystand_xml_reader *reader)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (!isLoaded) return copystand_xml_unavailable;
    if (count > INT_MAX) return copystand_xml_malformed;
    reading now = {
        .reader = reader, .parser = real.XML_ParserCreateNS(NULL, ' '), .end = copystand_xml_done};
    if (!now.parser) return copystand_xml_unavailable;
    real.XML_SetUserData(now.parser, &now);
    real.XML_SetElementHandler(now.parser, begin, end);
    real.XML_SetCharacterDataHandler(now.parser, text);
    real.XML_SetStartDoctypeDeclHandler(now.parser, doctype);
    enum XML_Status status = real.XML_Parse(now.parser, bytes, (int)count, XML_TRUE);
    real.XML_ParserFree(now.parser);
    if (now.end != copystand_xml_done) return now.end;
    return status == XML_STATUS_OK ? copystand_xml_done : copystand_xml_malformed;
}
