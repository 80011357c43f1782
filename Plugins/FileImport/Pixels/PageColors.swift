import CaptureKit
import ColorProfiles

/// The conversion of a picture's colors to sRGB, or the reason why there is none.
struct PageColors {
    /// The conversion; nil if the colors are sRGB or unknown.
    let conversion: ColorConversion?
    /// The reason why the file's color information can't be used; nil if it can, or there is none.
    let fault: ProfileFault?

    /// Finds the conversion for pixels of a kind; see
    /// ``ColorConversion/init(from:_:isDeep:further:)``.
    init(_ source: ColorSource?, _ kind: SampleKind, isDeep: Bool = false, further: Int = 0) {
        guard let source else {
            (conversion, fault) = (nil, nil)
            return
        }
        do throws(ProfileFault) {
            conversion = try ColorConversion(from: source, kind, isDeep: isDeep, further: further)
            fault = nil
        } catch {
            (conversion, fault) = (nil, error)
        }
    }

    /// The message for users.
    var problems: [String] { fault.map { [$0.sentence] } ?? [] }
}

extension DecodedPage {
    /// Converts a page's pixels from the file's colors to sRGB, or records why this is not
    /// possible.
    ///
    /// Black and white are the same in every color space.
    mutating func convertColors(from source: ColorSource?) {
        guard source != nil, format != .bilevel else { return }
        let isGray = format == .gray8 || format == .gray16
        let colors = PageColors(
            source, isGray ? .gray : .light, isDeep: format == .gray16 || format == .rgb16)
        colors.conversion?.convert(pixels.mutableBytes)
        problems += colors.problems
    }
}
