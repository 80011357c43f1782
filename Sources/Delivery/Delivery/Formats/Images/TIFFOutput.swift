import CTIFF
import Glibc

/// The file under libtiff, which reads, writes and seeks through the functions below.
final class TIFFOutput {
    let file: PartialFile
    /// The first failure to write, with more detail than libtiff reports.
    var failure: DeliveryError?
    fileprivate var position = 0

    init(_ file: PartialFile) {
        self.file = file
    }
}

private func output(_ context: thandle_t?) -> TIFFOutput? {
    context.map { Unmanaged<TIFFOutput>.fromOpaque($0).takeUnretainedValue() }
}

func tiffRead(
    _ context: thandle_t?, _ bytes: UnsafeMutableRawPointer?, _ count: tmsize_t
) -> tmsize_t {
    guard let output = output(context), count >= 0 else { return -1 }
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
    let got = output.file.read(into: buffer, at: output.position)
    output.position += max(0, got)
    return tmsize_t(got)
}

func tiffWrite(
    _ context: thandle_t?, _ bytes: UnsafeMutableRawPointer?, _ count: tmsize_t
) -> tmsize_t {
    guard let output = output(context), output.failure == nil, count >= 0 else { return -1 }
    do throws(DeliveryError) {
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        try output.file.write(buffer, at: output.position)
    } catch {
        output.failure = error
        return -1
    }
    output.position += Int(count)
    return count
}

func tiffSeek(_ context: thandle_t?, _ offset: toff_t, _ origin: Int32) -> toff_t {
    guard let output = output(context) else { return toff_t.max }
    let base =
        switch origin {
        case SEEK_CUR: output.position
        case SEEK_END: output.file.count
        default: 0
        }
    // An offset may be negative, wrapped around.
    let place = base &+ Int(truncatingIfNeeded: offset)
    guard place >= 0 else { return toff_t.max }
    output.position = place
    return toff_t(place)
}

func tiffClose(_ context: thandle_t?) -> Int32 { 0 }

func tiffSize(_ context: thandle_t?) -> toff_t { toff_t(output(context)?.file.count ?? 0) }
