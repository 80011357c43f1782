@testable import Detection

/// A network of eight channels everywhere, and its file of weights, which tests damage.
struct TinyNetwork {
    var magic: [UInt8] = [0x89, 0x43, 0x53, 0x4E, 0x45, 0x54, 0x0D, 0x0A]
    var version: UInt32 = 1
    var side: UInt32 = 64
    var note: [UInt8] = Array("made for a test".utf8)
    /// Name, kind, shape, data.
    var tensors: [(name: [UInt8], kind: UInt8, shape: [UInt32], data: [UInt8])] = []
    /// The number by which the announced count of tensors is too large.
    var announcedMore: UInt32 = 0
    var trailing: [UInt8] = []

    init() {
        var generator = SeededGenerator(seed: 7)
        func layer(_ name: String, _ shape: [UInt32]) {
            let count = Int(shape.reduce(1, *))
            add(
                "\(name).weight", shape,
                (0..<count).map { _ in .random(in: -1...1, using: &generator) })
            add("\(name).bias", [shape[0]], (0..<Int(shape[0])).map { _ in 0.1 })
        }
        layer("s2", [8, 3, 3, 3])
        layer("s4.0", [8, 8, 3, 3])
        for block in ["s4.1", "s8.0", "s16.0", "s32.0"] {
            layer("\(block).m.0", [8, 8, 1, 1])
            layer("\(block).m.1", [8, 1, 3, 3])
            layer("\(block).m.2", [8, 8, 1, 1])
        }
        layer("ctx", [8, 8])
        layer("pres", [1, 8])
        for merge in ["d16", "d8", "d4"] {
            layer("\(merge).a", [8, 8, 1, 1])
            layer("\(merge).l", [8, 8, 1, 1])
            layer("\(merge).m.0", [8, 1, 5, 5])
            layer("\(merge).m.1", [8, 8, 1, 1])
        }
        layer("h.0", [8, 1, 3, 3])
        layer("h.1", [8, 8, 1, 1])
        layer("out", [3, 8, 1, 1])
    }

    /// A tensor of single precision.
    mutating func add(_ name: String, _ shape: [UInt32], _ values: [Float]) {
        let data = values.flatMap { Self.little($0.bitPattern) }
        tensors.append((Array(name.utf8), 2, shape, data))
    }

    mutating func change(
        _ name: String,
        _ body: (inout (name: [UInt8], kind: UInt8, shape: [UInt32], data: [UInt8])) -> Void
    ) {
        for index in tensors.indices where tensors[index].name == Array(name.utf8) {
            body(&tensors[index])
        }
    }

    static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The file, its checksum right.
    var bytes: [UInt8] {
        var out = magic + Self.little(version) + Self.little(side)
        out += Self.little(UInt32(tensors.count) &+ announcedMore)
        out += Self.little(UInt32(note.count)) + note
        for tensor in tensors {
            out += [UInt8(tensor.name.count)] + tensor.name + [tensor.kind]
            out += [UInt8(tensor.shape.count)] + tensor.shape.flatMap(Self.little) + tensor.data
        }
        return Self.sealed(out + trailing)
    }

    /// The bytes, followed by their checksum.
    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        bytes + little(bytes.withUnsafeBytes { WeightFile.checksum(of: $0) })
    }
}

extension NetworkWeights {
    /// Reads a network from the given bytes.
    convenience init(bytes: [UInt8]) throws(DetectionError) {
        try self.init(WeightFile(bytes: bytes))
    }
}

extension WeightFile {
    /// Reads a weight file from the given bytes.
    init(bytes: [UInt8]) throws(DetectionError) {
        let result = bytes.withUnsafeBytes { raw in
            Result { () throws(DetectionError) in try WeightFile(raw) }
        }
        self = try result.get()
    }
}
