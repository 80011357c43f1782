#ifndef CSIGNNETWORK_H
#define CSIGNNETWORK_H

#include <stddef.h>

// A network that reads a line of capital letters and digits, character by character, and expects no
// words. Scripts/train-signs makes its weights.

enum {
    /// Rows of a line's picture, and how many of them a capital letter takes.
    SN_HEIGHT = 24,
    SN_CAPITAL = 16,
    /// Columns of the picture to one column of answers.
    SN_STEP = 2,
    /// The digits, the letters A to Z, any other mark, and the gap between two marks, in this
    /// order.
    SN_CLASSES = 38,
    SN_OTHER = 36,
    SN_BETWEEN = 37,
    /// Columns that a line may have.
    SN_LONGEST = 4096
};

/// Reads a line.
///
/// - line: SN_HEIGHT rows of `width` floats, how dark each pixel is, 0 to 1.
/// - width: a multiple of SN_STEP, at most SN_LONGEST.
/// - chances: room for width / SN_STEP × SN_CLASSES floats; of each column, what it may show,
/// together 1.
///
/// Returns 0, or -1 if `width` is not valid or there is no memory.
int sn_read(const float *line, size_t width, float *chances);

#endif
