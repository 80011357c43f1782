/// The reason why a color profile can't be used; the picture is then shown without it.
public enum ProfileFault: Error, Hashable, Sendable {
    /// The profile ends early or contradicts itself.
    case damaged
    /// The profile is for another kind of samples than the picture's.
    case foreign
    /// The profile is larger than ``ColorSource/mostBytes``.
    case tooLarge
    /// The profile's colors can't be converted, such as those of HDR.
    case unknown

    /// The message for users, as a fixed sentence that can be translated.
    public var sentence: String {
        switch self {
        case .damaged:
            "The file's color profile is damaged and was left out: its colors may look different."
        case .foreign:
            "The file's color profile does not fit its picture and was left out: its colors may look different."
        case .tooLarge:
            "The file's color profile is too large and was left out: its colors may look different."
        case .unknown:
            "The file's colors are of a kind that is not converted: they may look different."
        }
    }
}
