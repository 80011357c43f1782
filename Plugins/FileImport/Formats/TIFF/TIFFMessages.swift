import CTIFF
import Glibc

/// Receives libtiff's messages for one page, so that they don't appear on standard error.
final class TIFFMessages {
    /// The first error since the page began.
    private(set) var firstError: String?
    /// The first error or serious warning about the pixels; nil for none.
    private(set) var damage: String?
    private var isReadingPixels = false

    /// Forgets the previous page.
    func clear() {
        firstError = nil
        damage = nil
        isReadingPixels = false
    }

    /// Marks the messages that follow as about pixels, no longer about tags.
    func beginPixels() { isReadingPixels = true }

    fileprivate func noteError(_ text: String) {
        if firstError == nil { firstError = text }
        if isReadingPixels, damage == nil { damage = text }
    }

    /// The decoders continue after a truncated or damaged strip, and only warn.
    fileprivate func noteWarning(_ text: String) {
        guard isReadingPixels, damage == nil else { return }
        if ["Premature", "Corrupt JPEG", "Not enough data"].contains(where: text.contains) {
            damage = text
        }
    }
}

/// libtiff's error handler; `context` is the file's ``TIFFMessages``.
func noteTIFFError(
    _ tiff: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ module: UnsafePointer<CChar>?,
    _ format: UnsafePointer<CChar>?, _ values: CVaListPointer?
) -> Int32 {
    if let context {
        Unmanaged<TIFFMessages>.fromOpaque(context).takeUnretainedValue()
            .noteError(formatted(format, values))
    }
    return 1
}

/// libtiff's warning handler.
func noteTIFFWarning(
    _ tiff: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ module: UnsafePointer<CChar>?,
    _ format: UnsafePointer<CChar>?, _ values: CVaListPointer?
) -> Int32 {
    if let context {
        Unmanaged<TIFFMessages>.fromOpaque(context).takeUnretainedValue()
            .noteWarning(formatted(format, values))
    }
    return 1
}

private func formatted(_ format: UnsafePointer<CChar>?, _ values: CVaListPointer?) -> String {
    guard let format, let values else { return "unknown error" }
    var buffer = [CChar](repeating: 0, count: 512)
    vsnprintf(&buffer, buffer.count, format, values)
    return string(buffer)
}
