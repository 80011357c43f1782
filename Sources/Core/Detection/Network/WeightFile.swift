import CPageNetwork
import CZlib

/// A file of weights, read and checked; the format is in Docs/developers/Detection.md.
struct WeightFile {
    /// A tensor of floats, in the framework's order of dimensions.
    struct Tensor {
        let shape: [Int]
        let values: [Float]
    }

    /// The side of the network's square picture in pixels.
    let side: Int
    /// The maker's note on how the weights were made.
    let note: String
    /// The checksum at the file's end: CRC-32 of everything before it.
    let checksum: UInt32
    let tensors: [String: Tensor]

    private static let magic: [UInt8] = [0x89, 0x43, 0x53, 0x4E, 0x45, 0x54, 0x0D, 0x0A]
    private static let version: UInt32 = 1

    /// Reads a whole file.
    ///
    /// - Throws: `weights` for bytes that are not such a file, with the place of the mistake.
    init(_ bytes: UnsafeRawBufferPointer) throws(DetectionError) {
        guard bytes.count >= Self.magic.count + 4, bytes.starts(with: Self.magic) else {
            throw Self.damaged("it does not begin like a file of weights")
        }
        let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(4))
        checksum = bytes.loadLittle(at: body.count)
        var reader = Reader(bytes: body, place: Self.magic.count)
        let version = try reader.word()
        guard version == Self.version else {
            throw Self.damaged("it is of version \(version); this program reads \(Self.version)")
        }
        guard checksum == Self.checksum(of: body) else {
            throw Self.damaged("its checksum does not agree with its contents")
        }
        side = Int(try reader.word())
        guard (64...Int(PN_MOST_SIDE)).contains(side), side % 32 == 0 else {
            throw Self.damaged(
                "its picture's side, \(side), is not a multiple of 32 from 64 to \(PN_MOST_SIDE)")
        }
        let count = Int(try reader.word())
        note = try reader.text(Int(try reader.word()))
        var tensors: [String: Tensor] = [:]
        for _ in 0..<count {
            let (name, tensor) = try reader.tensor()
            guard tensors.updateValue(tensor, forKey: name) == nil else {
                throw Self.damaged("\(name) appears in it twice")
            }
        }
        guard reader.place == body.count else {
            throw Self.damaged("\(body.count - reader.place) bytes follow its last tensor")
        }
        self.tensors = tensors
    }

    /// The checksum of some bytes: zlib's `crc32`.
    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return UInt32(truncatingIfNeeded: crc32(0, start, uInt(bytes.count)))
    }

    static func damaged(_ reason: String) -> DetectionError {
        DetectionError(
            .weights, "The page detector's weights can't be used: \(reason). Install it again.")
    }
}

/// Reads numbers and tensors one after the other, never past the end.
private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var place: Int

    mutating func take(_ count: Int) throws(DetectionError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count - place else {
            throw WeightFile.damaged("it ends at byte \(bytes.count), although more was announced")
        }
        defer { place += count }
        return UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
    }

    mutating func byte() throws(DetectionError) -> Int { Int(try take(1)[0]) }

    mutating func word() throws(DetectionError) -> UInt32 { try take(4).loadLittle(at: 0) }

    mutating func text(_ count: Int) throws(DetectionError) -> String {
        guard let text = String(validating: try take(count), as: UTF8.self) else {
            throw WeightFile.damaged("a text in it is not UTF-8")
        }
        return text
    }

    mutating func tensor() throws(DetectionError) -> (String, WeightFile.Tensor) {
        let name = try text(try byte())
        let kind = try byte()
        guard let size = [1: 2, 2: 4][kind] else {
            throw WeightFile.damaged("\(name) is of the unknown kind \(kind)")
        }
        let rank = try byte()
        guard (1...4).contains(rank) else {
            throw WeightFile.damaged("\(name) has \(rank) dimensions")
        }
        var shape: [Int] = []
        var count = 1
        for _ in 0..<rank {
            let length = Int(try word())
            // Each factor is below 2³², and the product is kept below the file's size: it cannot
            // overflow.
            guard length > 0, count <= bytes.count, count * length <= bytes.count else {
                throw WeightFile.damaged("\(name) has a side of \(length)")
            }
            shape.append(length)
            count *= length
        }
        let data = try take(count * size)
        let values = [Float](unsafeUninitializedCapacity: count) { values, made in
            if size == 2 {
                pn_widen(
                    data.baseAddress?.assumingMemoryBound(to: UInt8.self), count, values.baseAddress
                )
            } else {
                for i in 0..<count {
                    values[i] = Float(bitPattern: data.loadLittle(at: 4 * i))
                }
            }
            made = count
        }
        guard values.allSatisfy(\.isFinite) else {
            throw WeightFile.damaged("\(name) holds a number that is not finite")
        }
        return (name, WeightFile.Tensor(shape: shape, values: values))
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func loadLittle(at offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
