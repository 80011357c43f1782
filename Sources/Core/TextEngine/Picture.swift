import CLeptonica
import Recognition

/// A leptonica picture that is freed with its last owner (`pixDestroy`).
final class Picture {
    let pix: UnsafeMutablePointer<Pix>

    /// Takes over what a leptonica function returned; nil when that failed.
    init?(_ pix: UnsafeMutablePointer<Pix>?) {
        guard let pix else { return nil }
        self.pix = pix
    }

    /// Reads the rows that follow a request; nil when the host is gone, or memory is short.
    convenience init?(_ form: HelperImage, from channel: HelperChannel) {
        guard form.isValid,
            let pix = pixCreateNoInit(Int32(form.width), Int32(form.height), Int32(form.depth))
        else { return nil }
        self.init(pix)
        guard Int(pixGetWpl(pix)) * 4 == form.stride,
            channel.fill(
                UnsafeMutableRawBufferPointer(start: pixGetData(pix), count: form.byteCount))
        else { return nil }
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
