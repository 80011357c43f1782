import CSANE

/// A driver's description of a frame.
func parameters(
    _ format: UInt32, _ depth: Int32, _ width: Int32, _ stride: Int32, _ lines: Int32
) -> SANE_Parameters {
    SANE_Parameters(
        format: SANE_Frame(rawValue: format), last_frame: 1, bytes_per_line: stride,
        pixels_per_line: width, lines: lines, depth: depth)
}
