#ifndef CSIGNNETWORK_H
#define CSIGNNETWORK_H

#include <stddef.h>

// A network that reads a line of capital letters and digits, character by character, and expects no
// words. Scripts/train-signs makes its weights.

enum {
    /// The number of rows of a line's picture, and of the rows of a capital letter.
    SN_HEIGHT = 24,
    SN_CAPITAL = 16,
    /// The number of the picture's columns for one column of answers.
    SN_STEP = 2,
    /// The digits, the letters A to Z, any other mark, and the gap between two marks, in this
    /// order.
    SN_CLASSES = 38,
    SN_OTHER = 36,
    SN_BETWEEN = 37,
    /// The maximum number of columns of a line.
    SN_LONGEST = 4096
};

/// Reads a line.
///
/// - line: SN_HEIGHT rows of `width` floats, the darkness of each pixel, 0 to 1.
/// - width: a multiple of SN_STEP, at most SN_LONGEST.
/// - chances: room for width / SN_STEP × SN_CLASSES floats; the probabilities of the classes for
///   each column, whose sum is 1.
///
/// Returns 0, or -1 if `width` is not valid or there is no memory.
int sn_read(const float *line, size_t width, float *chances);

#endif
