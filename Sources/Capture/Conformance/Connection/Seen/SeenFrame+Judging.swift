import CaptureKit

// The verdict on a frame that has ended; its pixels are released.
extension SeenFrame {
    /// - Parameter original: the bytes of the picture that followed `done`.
    mutating func judge(original: [UInt8]) {
        defer { (file, inline) = (nil, []) }
        guard let form = announced?.form, let done else { return }
        let rows = form.height ?? done.rows
        lack = form.format == .jpeg ? lackOfLength(form, done) : nil
        if let file {
            lack = lack ?? lackOfRows(form, rows, in: file)
            trespass = trespass(form, rows, in: file)
        } else if lack == nil {
            lack = lackOfBytes(form, rows)
        }
        if self.original != nil, lack == nil { originalFault = fault(of: original, form, rows) }
    }

    /// Some bytes of the frame; fewer if fewer have arrived.
    func pixels(at place: Int, count: Int) -> [UInt8] {
        file?.bytes(at: place, count: count) ?? Array(inline.dropFirst(place).prefix(count))
    }

    private func lackOfLength(_ form: FrameDescription, _ done: Wire.Rows) -> String? {
        guard let length = done.length else { return "no length of \(name)" }
        let most = form.capacity ?? 0
        if !(1...max(1, most)).contains(length) {
            return "a length of \(length) of \(name), whose capacity is \(most)"
        }
        if file == nil, bytes != length { return "\(bytes) bytes, but a length of \(length)" }
        guard let size = JPEGPicture.size(of: pixels(at: 0, count: length)) else {
            return "\(length) bytes of \(name) that are not a JPEG picture"
        }
        return size.width == form.width && size.height == form.height
            ? nil : "a JPEG picture of \(size.width) × \(size.height) pixels as \(name)"
    }

    private func lackOfBytes(_ form: FrameDescription, _ rows: Int) -> String? {
        let least = form.leastBytes(rows: rows)
        if bytes < least { return "\(bytes) of the \(least) bytes of \(name)" }
        let most = form.height == nil ? form.mostBytes : max(least, form.byteCount(rows: rows))
        return bytes > most ? "\(bytes) bytes of \(name), which has \(most)" : nil
    }

    /// Examines up to 64 rows, including the first and the last.
    private func lackOfRows(
        _ form: FrameDescription, _ rows: Int, in file: GivenFile
    ) -> String? {
        if form.format == .jpeg {
            let count = min(64, done?.length ?? 0)
            return file.isUntouched(at: file.offset, count: max(1, count))
                ? "nothing of \(name) in its file" : nil
        }
        let wide = form.format.minimumStride(width: form.width)
        let all = form.stride == 0 ? 0 : max(1, form.byteCount(rows: rows) / form.stride)
        // A few written bytes may equal the pattern by chance.
        guard wide >= 8, all > 0 else { return nil }
        let last = wide - form.format.minimumStride(width: form.width - 1)
        var narrow = 0
        for index in 0..<min(64, all) {
            let row = all <= 64 ? index : index * (all - 1) / 63
            let place = file.offset + row * form.stride
            if place + wide > file.length { return "\(name) without row \(row + 1) of \(all)" }
            if file.isUntouched(at: place, count: wide) {
                return "\(name), whose row \(row + 1) of \(all) was never written"
            }
            if file.isUntouched(at: place + wide - last, count: last) { narrow += 1 }
        }
        // A single pixel may equal the pattern by chance, but not the pixels of four rows or more.
        return narrow == min(64, all) && narrow >= 4 && last > 0
            ? "\(name), in whose rows the last pixel was never written" : nil
    }

    private func trespass(_ form: FrameDescription, _ rows: Int, in file: GivenFile) -> String? {
        if !file.isUntouched(at: 0, count: file.offset) {
            return "the \(file.offset) bytes before \(name) changed"
        }
        let (length, most) = (file.length - file.offset, form.mostBytes)
        if form.height == nil {
            return length > most ? "a file of \(length) bytes for \(name)" : nil
        }
        return length != file.size
            ? "a file of \(length) bytes for \(name), given with \(file.size)" : nil
    }
}
