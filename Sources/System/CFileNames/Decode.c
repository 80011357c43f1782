#include "CFileNames.h"
#include "Decode.h"

/* The byte that the scalar at `text` stands for; -1 if it is another scalar. Slashes, dots and
 * letters are never encoded this way. */
static int hidden_byte(const unsigned char *text, size_t count)
{
    if (count < 4 || text[0] != 0xF4 || text[1] != 0x8F || (text[2] & 0xFC) != 0xBC ||
        (text[3] & 0xC0) != 0x80)
        return -1;
    int byte = (text[2] & 3) << 6 | (text[3] & 0x3F);
    return byte == 0 || (byte >= 0x20 && byte < 0x7F) ? -1 : byte;
}

size_t cfilenames_decode(const char *text, size_t count, char *bytes)
{
    size_t made = 0;
    for (size_t place = 0; place < count;) {
        int byte = hidden_byte((const unsigned char *)text + place, count - place);
        bytes[made++] = byte < 0 ? text[place] : (char)byte;
        place += byte < 0 ? 1 : 4;
    }
    return made;
}
