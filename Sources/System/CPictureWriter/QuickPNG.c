#include "QuickPNG.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/* RFC 1950 and 1951; PNG 9.2. Rows have the filter "up", which readers undo fastest. In filtered
   rows, runs of one byte become matches, and all other bytes literals. A match refers to 8 bytes
   before. If it referred to one byte before, as with Z_RLE, inflate would take several times as
   long, since each byte must be stored before it is loaded. */
enum {
    reach = 8,       /* the distance of a match, once a run has as many bytes */
    leastMatch = 3,
    mostMatch = 258,
    leastRun = leastMatch + 1,
    endOfBlock = 256,
    letterCount = 286,
    distanceCount = 6, /* up to the one for distances of 7 and 8 */
    nearCode = 0,      /* a distance of 1 */
    farCode = 5,       /* a distance of 7 or 8; a bit says which */
    mostTokens = 1 << 15,
    portion = 1 << 16
};

/* A token is a literal, or `match` plus the length less 3; `near` marks a distance of 1. */
enum { match = 0x100, near = 0x400 };

struct quick_png {
    FILE *file;
    size_t rowBytes;
    uint8_t *previous; /* the row before */
    uint8_t *filtered; /* a row with its filter's number before it */
    uint32_t adler;
    size_t tokenCount;
    uint16_t tokens[mostTokens];
    uint32_t letters[letterCount];
    uint32_t distances[distanceCount];
    uint64_t bits;
    unsigned bitCount;
    size_t used;
    uint8_t out[portion + 16];
    int hasFailed;
};

/* Chunks */

static void number(uint8_t *place, uint32_t value)
{
    for (int i = 0; i < 4; i++) place[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void chunk(quick_png *png, const char *type, const uint8_t *bytes, size_t count)
{
    uint8_t head[8], tail[4];
    number(head, (uint32_t)count);
    memcpy(head + 4, type, 4);
    uLong crc = crc32(0, head + 4, 4);
    if (count > 0) crc = crc32(crc, bytes, (uInt)count);
    number(tail, (uint32_t)crc);
    if (fwrite(head, 1, sizeof head, png->file) != sizeof head ||
        fwrite(bytes, 1, count, png->file) != count ||
        fwrite(tail, 1, sizeof tail, png->file) != sizeof tail)
        png->hasFailed = 1;
}

static void flush(quick_png *png)
{
    if (png->used > 0) chunk(png, "IDAT", png->out, png->used);
    png->used = 0;
}

/* Writes at most 32 bits, the lowest first. */
static void put(quick_png *png, uint32_t value, unsigned count)
{
    png->bits |= (uint64_t)value << png->bitCount;
    png->bitCount += count;
    while (png->bitCount >= 8) {
        png->out[png->used++] = (uint8_t)png->bits;
        png->bits >>= 8;
        png->bitCount -= 8;
    }
    if (png->used >= portion) flush(png);
}

/* Huffman codes */

struct code {
    uint16_t bits; /* as they are written, the first one lowest */
    uint8_t length;
};

struct leaf {
    uint32_t weight;
    int symbol;
};

static int lighter(const void *one, const void *other)
{
    const struct leaf *a = one, *b = other;
    if (a->weight != b->weight) return a->weight < b->weight ? -1 : 1;
    return a->symbol - b->symbol;
}

/* Sets the lengths of Huffman codes for the symbols that occur, at least two. Returns the longest
   length. */
static int huffman(const uint32_t *weights, int count, struct code *codes)
{
    struct leaf leaves[letterCount];
    uint32_t sums[letterCount];
    int parents[2 * letterCount], depths[2 * letterCount];
    int n = 0, longest = 0;
    for (int i = 0; i < count; i++) {
        codes[i].length = 0;
        if (weights[i] > 0) leaves[n++] = (struct leaf){weights[i], i};
    }
    qsort(leaves, (size_t)n, sizeof *leaves, lighter);
    /* Nodes 0..<n are the leaves, and the following ones are the sums; both are sorted from
       light to heavy. */
    int leaf = 0, sum = 0;
    for (int made = 0; made < n - 1; made++) {
        uint32_t weight = 0;
        for (int side = 0; side < 2; side++) {
            int takesLeaf = sum == made || (leaf < n && leaves[leaf].weight <= sums[sum]);
            weight += takesLeaf ? leaves[leaf].weight : sums[sum];
            parents[takesLeaf ? leaf++ : n + sum++] = n + made;
        }
        sums[made] = weight;
    }
    depths[2 * n - 2] = 0;
    for (int node = 2 * n - 3; node >= 0; node--) {
        depths[node] = depths[parents[node]] + 1;
        if (node < n) {
            codes[leaves[node].symbol].length = (uint8_t)depths[node];
            if (depths[node] > longest) longest = depths[node];
        }
    }
    return longest;
}

/* The codes of symbols by their weights, which this function changes; none is longer than
   `limit` bits. */
static void makeCodes(uint32_t *weights, int count, int limit, struct code *codes)
{
    int used = 0;
    for (int i = 0; i < count; i++) used += weights[i] > 0;
    /* Readers require at least two codes. */
    for (int i = 0; used < 2; i++) {
        if (weights[i] == 0) weights[i] = 1, used++;
    }
    while (huffman(weights, count, codes) > limit) {
        for (int i = 0; i < count; i++) weights[i] = (weights[i] + 1) / 2;
    }
    int lengths[16] = {0};
    unsigned next[16] = {0};
    for (int i = 0; i < count; i++) lengths[codes[i].length]++;
    lengths[0] = 0;
    for (int i = 1; i < 16; i++) next[i] = (next[i - 1] + (unsigned)lengths[i - 1]) << 1;
    for (int i = 0; i < count; i++) {
        unsigned bits = codes[i].length ? next[codes[i].length]++ : 0, reversed = 0;
        for (int bit = 0; bit < codes[i].length; bit++) {
            reversed = reversed << 1 | (bits >> bit & 1);
        }
        codes[i].bits = (uint16_t)reversed;
    }
}

static void putCode(quick_png *png, struct code code) { put(png, code.bits, code.length); }

/* Writes the lengths of a block's codes in the form of RFC 1951, 3.2.7; only zeros are repeated. */
static void putLengths(quick_png *png, const uint8_t *lengths, int count)
{
    static const uint8_t order[19] = {
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    enum { all = letterCount + distanceCount };
    uint8_t symbols[all], extras[all];
    uint32_t weights[19] = {0};
    struct code codes[19];
    int n = 0;
    for (int i = 0; i < count;) {
        int zeros = 0;
        while (i + zeros < count && zeros < 138 && lengths[i + zeros] == 0) zeros++;
        if (zeros < 3) {
            extras[n] = 0;
            symbols[n++] = lengths[i++];
            continue;
        }
        symbols[n] = zeros < 11 ? 17 : 18;
        extras[n++] = (uint8_t)(zeros - (zeros < 11 ? 3 : 11));
        i += zeros;
    }
    for (int i = 0; i < n; i++) weights[symbols[i]]++;
    makeCodes(weights, 19, 7, codes);
    put(png, letterCount - 257, 5);
    put(png, distanceCount - 1, 5);
    put(png, 19 - 4, 4);
    for (int i = 0; i < 19; i++) put(png, codes[order[i]].length, 3);
    for (int i = 0; i < n; i++) {
        putCode(png, codes[symbols[i]]);
        if (symbols[i] >= 17) put(png, extras[i], symbols[i] == 17 ? 3 : 7);
    }
}

/* Tokens */

/* Returns the symbol of a match, by its length less 3, and the number of bits that follow it. */
static int letter(unsigned length, unsigned *extraBits)
{
    *extraBits = 0;
    if (length == mostMatch - leastMatch) return letterCount - 1;
    if (length < 8) return (int)(257 + length);
    unsigned bits = 29 - (unsigned)__builtin_clz(length);
    *extraBits = bits;
    return (int)(257 + 4 * bits + 4 + (length >> bits & 3));
}

static void flushBlock(quick_png *png)
{
    struct code codes[letterCount + distanceCount];
    uint8_t lengths[letterCount + distanceCount];
    if (png->tokenCount == 0) return;
    png->letters[endOfBlock] = 1;
    makeCodes(png->letters, letterCount, 15, codes);
    makeCodes(png->distances, distanceCount, 15, codes + letterCount);
    for (int i = 0; i < letterCount + distanceCount; i++) lengths[i] = codes[i].length;
    put(png, 2 << 1, 3); /* not the last block; its codes are its own */
    putLengths(png, lengths, letterCount + distanceCount);
    for (size_t i = 0; i < png->tokenCount; i++) {
        unsigned token = png->tokens[i];
        if (token < match) {
            putCode(png, codes[token]);
            continue;
        }
        unsigned bits, length = token & 0xff;
        putCode(png, codes[letter(length, &bits)]);
        if (bits > 0) put(png, length & ((1u << bits) - 1), bits);
        putCode(png, codes[letterCount + (token & near ? nearCode : farCode)]);
        if (!(token & near)) put(png, 1, 1); /* 8, not 7 */
    }
    putCode(png, codes[endOfBlock]);
    png->tokenCount = 0;
    memset(png->letters, 0, sizeof png->letters);
    memset(png->distances, 0, sizeof png->distances);
}

static void add(quick_png *png, unsigned token)
{
    png->tokens[png->tokenCount++] = (uint16_t)token;
    if (png->tokenCount == mostTokens) flushBlock(png);
}

static void addLiteral(quick_png *png, uint8_t byte)
{
    png->letters[byte]++;
    add(png, byte);
}

static void addMatch(quick_png *png, size_t length, int isNear)
{
    unsigned bits;
    png->letters[letter((unsigned)length - leastMatch, &bits)]++;
    png->distances[isNear ? nearCode : farCode]++;
    add(png, match | (isNear ? near : 0) | ((unsigned)length - leastMatch));
}

static void addRun(quick_png *png, uint8_t byte, size_t count)
{
    addLiteral(png, byte);
    size_t rest = count - 1;
    if (rest < reach - 1 + leastMatch) return addMatch(png, rest, 1);
    addMatch(png, reach - 1, 1);
    rest -= reach - 1;
    while (rest > 0) {
        size_t length = rest < mostMatch ? rest : mostMatch;
        /* The rest must not be too short for a match. */
        if (rest > length && rest - length < leastMatch) length = rest - leastMatch;
        addMatch(png, length, 0);
        rest -= length;
    }
}

/* The number of equal bytes from here on. */
static size_t runLength(const uint8_t *bytes, size_t count)
{
    size_t run = 1;
    uint64_t eight, same = 0x0101010101010101u * bytes[0];
    while (run + 8 <= count) {
        memcpy(&eight, bytes + run, 8);
        if (eight != same) break;
        run += 8;
    }
    while (run < count && bytes[run] == bytes[0]) run++;
    return run;
}

/* Returns the checksum of RFC 1950 after `count` repetitions of a byte. */
static uint32_t adlerOfRun(uint32_t adler, uint8_t byte, uint64_t count)
{
    const uint64_t base = 65521;
    uint64_t low = adler & 0xffff, high = adler >> 16;
    high = (high + count * low + byte * (count * (count + 1) / 2 % base)) % base;
    low = (low + count * byte) % base;
    return (uint32_t)(high << 16 | low);
}

static void addBytes(quick_png *png, const uint8_t *bytes, size_t count)
{
    size_t done = 0; /* what the checksum has */
    for (size_t i = 0; i < count;) {
        int isRun = i + leastRun <= count && bytes[i] == bytes[i + 1] &&
                    bytes[i] == bytes[i + 2] && bytes[i] == bytes[i + 3];
        if (!isRun) {
            addLiteral(png, bytes[i++]);
            continue;
        }
        size_t run = runLength(bytes + i, count - i);
        png->adler = (uint32_t)adler32(png->adler, bytes + done, (uInt)(i - done));
        png->adler = adlerOfRun(png->adler, bytes[i], run);
        addRun(png, bytes[i], run);
        i += run;
        done = i;
    }
    png->adler = (uint32_t)adler32(png->adler, bytes + done, (uInt)(count - done));
}

/* The picture */

quick_png *quick_png_begin(FILE *file, uint32_t width, uint32_t height, int channels,
    uint32_t dotsAcross, uint32_t dotsDown)
{
    quick_png *png = calloc(1, sizeof *png);
    if (!png) return NULL;
    png->file = file;
    png->rowBytes = (size_t)width * (size_t)channels;
    png->adler = 1;
    png->previous = calloc(1, png->rowBytes);
    png->filtered = malloc(png->rowBytes + 1);
    if (!png->previous || !png->filtered) {
        quick_png_free(png);
        return NULL;
    }
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (fwrite(signature, 1, sizeof signature, file) != sizeof signature) png->hasFailed = 1;
    /* 8 bits; gray or RGB; the only methods of compression and filtering; not interlaced */
    uint8_t header[13] = {[8] = 8, [9] = channels == 3 ? 2 : 0}, density[9] = {[8] = 1};
    number(header, width);
    number(header + 4, height);
    chunk(png, "IHDR", header, sizeof header);
    if (dotsAcross > 0 && dotsDown > 0) {
        number(density, dotsAcross);
        number(density + 4, dotsDown);
        chunk(png, "pHYs", density, sizeof density);
    }
    put(png, 0x0178, 16); /* deflate, a window of 32 KiB, fastest compression */
    return png;
}

int quick_png_row(quick_png *png, const uint8_t *row)
{
    png->filtered[0] = 2;
    for (size_t i = 0; i < png->rowBytes; i++) {
        png->filtered[1 + i] = (uint8_t)(row[i] - png->previous[i]);
    }
    memcpy(png->previous, row, png->rowBytes);
    addBytes(png, png->filtered, png->rowBytes + 1);
    return png->hasFailed ? -1 : 0;
}

int quick_png_end(quick_png *png)
{
    flushBlock(png);
    put(png, 1 | 1 << 1, 3); /* the last block, which only has the end, in fixed codes */
    put(png, 0, 7);
    if (png->bitCount > 0) put(png, 0, 8 - png->bitCount);
    for (int i = 0; i < 4; i++) put(png, png->adler >> (24 - 8 * i) & 0xff, 8);
    flush(png);
    chunk(png, "IEND", png->out, 0);
    return png->hasFailed ? -1 : 0;
}

void quick_png_free(quick_png *png)
{
    if (!png) return;
    free(png->previous);
    free(png->filtered);
    free(png);
}
