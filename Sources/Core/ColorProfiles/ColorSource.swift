/// The colors of a file, according to the file itself.
public enum ColorSource: Sendable {
    /// An ICC profile.
    case profile([UInt8])
    /// Adobe RGB (1998), as EXIF names it (DCF 2.0: the interoperability index R03).
    case adobeRGB
    /// The primaries with white, and the curve from numbers to light; nil for those of sRGB.
    case measured(Primaries?, Curve?)
    /// CIE L*a*b*, which needs no profile.
    case lab
    /// Color information that can't be used.
    case fault(ProfileFault)

    /// The maximum size of a profile in bytes: 16 MiB; a printer's profile has a few megabytes.
    public static let mostBytes = 16 << 20

    /// The chromaticities of three primaries and of white, as x and y of CIE 1931.
    public struct Primaries: Hashable, Sendable {
        let numbers: [Double]

        /// Red, green, blue and white, each as x and y; nil for impossible values.
        public init?(_ numbers: [Double]) {
            guard numbers.count == 8, numbers.allSatisfy({ $0.isFinite && (0...1).contains($0) }),
                [1, 3, 5, 7].allSatisfy({ numbers[$0] > 0 })
            else { return nil }
            self.numbers = numbers
        }

        /// True if no number differs by more than 0.01.
        fileprivate func isNear(_ other: Primaries) -> Bool {
            zip(numbers, other.numbers).allSatisfy { abs($0 - $1) <= 0.01 }
        }

        /// The primaries of sRGB and ITU-R BT.709.
        public static let sRGB = Primaries([0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290])!
        /// The primaries of Display P3 (SMPTE EG 432-1).
        public static let displayP3 = Primaries([
            0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.3290,
        ])!
        /// The primaries of ITU-R BT.2020.
        public static let bt2020 = Primaries([
            0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.3290,
        ])!
    }

    /// Colors with given primaries (nil: those of sRGB) and a gamma: light is the number raised to
    /// this power.
    ///
    /// Programs write 2.2 for the curve of sRGB. Like libpng, this function accepts gammas within a
    /// twentieth of it as sRGB.
    public static func calibrated(_ primaries: Primaries?, power: Double) -> ColorSource {
        let isOurs = primaries?.isNear(.sRGB) ?? true
        return isOurs && abs(power / 2.2 - 1) < 0.05
            ? .measured(nil, .sRGB) : .measured(primaries, .power(power))
    }

    /// The colors for two codes of ITU-T H.273, `ColourPrimaries` and `TransferCharacteristics`;
    /// nil for the colors of sRGB.
    ///
    /// The colors of old television are close enough to sRGB, and most pictures leave them
    /// unspecified. Light brighter than white (PQ and HLG) is a fault.
    public static func coded(primaries: Int, transfer: Int) -> ColorSource? {
        let places: Primaries =
            switch primaries {
            case 9: .bt2020
            case 12: .displayP3
            default: .sRGB
            }
        return switch transfer {
        case 16, 18: .fault(.unknown)
        case 8: .measured(places, .power(1))
        case 4: .calibrated(places, power: 2.2)
        case 5: .measured(places, .power(2.8))
        default: places == .sRGB ? nil : .measured(places, .sRGB)
        }
    }

    /// The curve from numbers to light.
    public enum Curve: Hashable, Sendable {
        /// The curve of sRGB.
        case sRGB
        /// Light is the number raised to this power, 0.1…10.
        case power(Double)
    }
}
