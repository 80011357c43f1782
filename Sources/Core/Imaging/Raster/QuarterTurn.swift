/// A turn by a multiple of 90°, which loses no pixel.
public enum QuarterTurn: Int, Hashable, Sendable, CaseIterable {
    /// A quarter turn clockwise: the left edge becomes the top edge.
    case clockwise90 = 90
    /// Upside down.
    case half = 180
    /// A quarter turn counterclockwise: the right edge becomes the top edge.
    case counterclockwise90 = 270

    /// Degrees clockwise: 90, 180 or 270.
    public var degrees: Int { rawValue }

    /// The turn that undoes this one.
    public var inverse: QuarterTurn {
        switch self {
        case .clockwise90: .counterclockwise90
        case .half: .half
        case .counterclockwise90: .clockwise90
        }
    }
}
