extension OpenFile {
    /// Up to `count` bytes from `offset` in memory of their own; fewer at the file's end.
    func buffer(at offset: Int, count: Int) throws(DecodeFault) -> PixelBuffer {
        let buffer = try PixelBuffer(byteCount: max(0, min(count, size - offset)))
        let got = fill(buffer.mutableBytes, from: offset)
        guard got >= 0 else { throw .inputOutput(systemMessage()) }
        guard got == buffer.bytes.count else {
            throw .damaged("it became shorter while it was read")
        }
        return buffer
    }

    /// Reads the whole file into memory.
    func readAll(limit: Int) throws(DecodeFault) -> PixelBuffer {
        guard size <= limit else {
            throw .tooLarge("a file of \(size >> 20) MiB", limit: "\(limit >> 20) MiB")
        }
        return try buffer(at: 0, count: size)
    }
}
