import CLeptonica
import CaptureKit
import Glibc
import Recognition

/// A leptonica picture that is freed with its last owner (`pixDestroy`).
final class Picture {
    let pix: UnsafeMutablePointer<Pix>

    /// Takes over the result of a leptonica function; nil when that failed.
    init?(_ pix: UnsafeMutablePointer<Pix>?) {
        guard let pix else { return nil }
        self.pix = pix
    }

    /// Copies the rows from a descriptor; nil when some are missing, or memory is short.
    convenience init?(_ form: ReaderPicture, in file: OwnedDescriptor) {
        let depth = Int32(form.format.depth)
        guard form.isValid, let pix = pixCreateNoInit(Int32(form.width), Int32(form.height), depth)
        else { return nil }
        self.init(pix)
        guard Int(pixGetWpl(pix)) * 4 == form.stride else { return nil }
        var filled = 0
        while filled < form.byteCount {
            let count = retryingInterrupts {
                pread(
                    file.raw, UnsafeMutableRawPointer(pixGetData(pix)) + filled,
                    form.byteCount - filled, off_t(filled))
            }
            guard count > 0 else { return nil }
            filled += count
        }
        // Leptonica keeps the leftmost pixel in the highest bits of a word, whatever the machine's
        // order.
        pixEndianByteSwap(pix)
        pixSetPadBits(pix, 0)
    }

    deinit {
        var pix: UnsafeMutablePointer<Pix>? = pix
        pixDestroy(&pix)
    }

    var width: Int { Int(pixGetWidth(pix)) }
    var height: Int { Int(pixGetHeight(pix)) }
    var depth: Int { Int(pixGetDepth(pix)) }
}
