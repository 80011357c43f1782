#pragma once
#include <cairo-pdf.h>
#include <poppler.h>

/* A cast macro that Swift doesn't see. */
static inline void poppler_unref(void *object) { g_object_unref(object); }

/* Image mappings are freed as a list; Swift can't spell the list's element type. */
static inline PopplerImageMapping *poppler_image_mapping_at(GList *list, unsigned int index) {
    return (PopplerImageMapping *)g_list_nth_data(list, index);
}

/* POPPLER_ERROR is a macro around a function. */
static inline int poppler_is_encrypted_error(const GError *error) {
    return g_error_matches(error, POPPLER_ERROR, POPPLER_ERROR_ENCRYPTED);
}
