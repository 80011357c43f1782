/// Copies separated rows into packed ones.
enum RowCopy {
    /// The rows of a frame, packed; red and blue change places when swapped.
    static func packed(
        _ bytes: UnsafeRawBufferPointer, _ form: FrameForm, bytesPerPixel: Int, isSwapped: Bool
    ) -> [UInt8] {
        let row = form.size.width * bytesPerPixel
        return [UInt8](unsafeUninitializedCapacity: row * form.size.height) { buffer, count in
            copy(
                bytes, form, bytesPerPixel: bytesPerPixel, isSwapped: isSwapped,
                to: UnsafeMutableRawBufferPointer(buffer))
            count = row * form.size.height
        }
    }

    /// Copies the rows to `result`, which holds them packed.
    static func copy(
        _ bytes: UnsafeRawBufferPointer, _ form: FrameForm, bytesPerPixel: Int, isSwapped: Bool,
        to result: UnsafeMutableRawBufferPointer
    ) {
        let row = form.size.width * bytesPerPixel
        for y in 0..<form.size.height {
            let source = UnsafeRawBufferPointer(
                rebasing: bytes[(y * form.stride)..<(y * form.stride + row)])
            let target = UnsafeMutableRawBufferPointer(
                rebasing: result[(y * row)..<((y + 1) * row)])
            guard isSwapped else {
                target.copyMemory(from: source)
                continue
            }
            for x in stride(from: 0, to: row, by: 3) {
                target[x] = source[x + 2]
                target[x + 1] = source[x + 1]
                target[x + 2] = source[x]
            }
        }
    }
}
