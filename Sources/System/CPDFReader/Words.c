#include "Reader.h"

#include <stdlib.h>
#include <string.h>

/* The maximum number of words that a page may have. */
enum { most_words = 200000, longest = 1000 };

typedef struct {
    char *text;
    fz_rect box;
    cpdfr_end end;
} word;

struct cpdfr_words {
    word *list;
    int count, room;
};

void cpdfr_free_words(cpdfr_words *words)
{
    if (!words) return;
    for (int index = 0; index < words->count; index++) free(words->list[index].text);
    free(words->list);
    free(words);
}

/* A word that is being assembled; its letters are UTF-8. */
typedef struct {
    char letters[longest + FZ_UTFMAX];
    int length;
    fz_rect box;
} beginning;

static void add(fz_context *context, cpdfr_words *words, beginning *begun)
{
    if (begun->length == 0) return;
    if (words->count == words->room) {
        int const room = words->room ? words->room * 2 : 256;
        word *more = realloc(words->list, (size_t)room * sizeof *more);
        if (!more) fz_throw(context, FZ_ERROR_MEMORY, "no memory for the words of a page");
        words->list = more;
        words->room = room;
    }
    char *text = malloc((size_t)begun->length + 1);
    if (!text) fz_throw(context, FZ_ERROR_MEMORY, "no memory for a word");
    memcpy(text, begun->letters, (size_t)begun->length);
    text[begun->length] = 0;
    words->list[words->count++] = (word){text, begun->box, CPDFR_WORD};
    begun->length = 0;
}

static int is_space(int letter)
{
    return letter <= 32 || letter == 0xA0 || (letter >= 0x2000 && letter <= 0x200B) ||
           letter == 0x202F || letter == 0x3000 || (letter >= 0x7F && letter < 0xA0) ||
           letter == 0xFEFF;
}

/* Adds the words of a line that lie on the sheet. */
static void add_line(
    fz_context *context, cpdfr_words *words, fz_stext_line const *line, fz_rect sheet)
{
    beginning begun = {.length = 0};
    int const first = words->count;
    for (fz_stext_char const *letter = line->first_char; letter; letter = letter->next) {
        fz_rect const box = fz_rect_from_quad(letter->quad);
        float const x = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2;
        int const is_on_sheet = x >= sheet.x0 && x <= sheet.x1 && y >= sheet.y0 && y <= sheet.y1;
        if (is_space(letter->c) || !is_on_sheet || begun.length >= longest) {
            add(context, words, &begun);
            if (is_space(letter->c) || !is_on_sheet) continue;
        }
        if (words->count >= most_words) return;
        begun.box = begun.length ? fz_union_rect(begun.box, box) : box;
        begun.length += fz_runetochar(begun.letters + begun.length, letter->c);
    }
    add(context, words, &begun);
    if (words->count > first) words->list[words->count - 1].end = CPDFR_LINE;
}

cpdfr_words *cpdfr_page_words(cpdfr_page *page)
{
    fz_context *context = page->document->context;
    fz_rect const sheet = fz_make_rect(0, 0, (float)page->width, (float)page->height);
    cpdfr_words *const words = calloc(1, sizeof *words);
    if (!words) return NULL;
    fz_stext_page *text = NULL;
    fz_device *device = NULL;
    int failed = 0;
    fz_var(text);
    fz_var(device);
    fz_var(failed);
    fz_try(context)
    {
        fz_stext_options const options = {0};
        text = fz_new_stext_page(context, sheet);
        device = fz_new_stext_device(context, text, &options);
        fz_run_display_list(context, page->list, device, fz_identity, fz_infinite_rect, NULL);
        fz_close_device(context, device);
        for (fz_stext_block *block = text->first_block; block; block = block->next) {
            if (block->type != FZ_STEXT_BLOCK_TEXT) continue;
            int const first = words->count;
            for (fz_stext_line *line = block->u.t.first_line; line; line = line->next)
                add_line(context, words, line, sheet);
            if (words->count > first) words->list[words->count - 1].end = CPDFR_BLOCK;
        }
    }
    fz_always(context)
    {
        fz_drop_device(context, device);
        fz_drop_stext_page(context, text);
    }
    fz_catch(context) { failed = 1; }
    if (!failed) return words;
    cpdfr_free_words(words);
    return NULL;
}

int cpdfr_word_count(cpdfr_words const *words) { return words->count; }

char const *cpdfr_word(cpdfr_words const *words, int index, cpdfr_box *box, cpdfr_end *end)
{
    word const *it = &words->list[index];
    *box = (cpdfr_box){it->box.x0, it->box.y0, it->box.x1, it->box.y1};
    *end = it->end;
    return it->text;
}
