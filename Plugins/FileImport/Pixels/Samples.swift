extension UnsafeMutableRawBufferPointer {
    /// The sample at `index`: one byte, or two in the machine's byte order if `most` is beyond 255.
    @inline(__always)
    func sample(_ index: Int, _ most: Int) -> Int {
        UnsafeRawBufferPointer(self).sample(index, most)
    }

    /// Stores a sample of 0…`most`.
    @inline(__always)
    func put(_ value: Int, at index: Int, _ most: Int) {
        if most > 255 {
            storeBytes(of: UInt16(value), toByteOffset: index * 2, as: UInt16.self)
        } else {
            self[index] = UInt8(value)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The sample at `index`: one byte, or two in the machine's byte order if `most` is beyond 255.
    @inline(__always)
    func sample(_ index: Int, _ most: Int) -> Int {
        most > 255
            ? Int(loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)) : Int(self[index])
    }
}
