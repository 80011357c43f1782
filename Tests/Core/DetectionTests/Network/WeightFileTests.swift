import Imaging
import Testing

@testable import Detection

@Suite struct WeightFileTests {
    @Test("A valid file becomes a working network")
    func sound() throws {
        let weights = try NetworkWeights(bytes: TinyNetwork().bytes)
        #expect(weights.side == 64)
        #expect(weights.note == "made for a test")
        let network = PageNetwork(weights)
        let maps = Raster(width: 30, height: 50, format: .gray8).withFrameView {
            network.look(at: $0)
        }
        #expect(maps.side == 16)
        let values = UnsafeBufferPointer(start: maps.values, count: 3 * 16 * 16)
        #expect(values.allSatisfy { (0...1).contains($0) })
        #expect((0...1).contains(maps.presence))
    }

    @Test("The checksum is the same as zlib's")
    func checksum() {
        let sum = Array("123456789".utf8).withUnsafeBytes { WeightFile.checksum(of: $0) }
        #expect(sum == 0xCBF4_3926)
    }

    @Test(
        "Half precision is read as IEEE 754 defines it",
        arguments: [
            (0x0000, 0), (0x3C00, 1), (0xC000, -2), (0x3555, 0.333_251_953_125), (0x7BFF, 65504),
            (0x0001, 5.960_464_477_539_063e-8), (0x8400, -6.103_515_625e-5),
        ] as [(UInt16, Float)])
    func halves(bits: UInt16, value: Float) throws {
        var network = TinyNetwork()
        network.change("ctx.bias") {
            $0.kind = 1
            $0.data = (0..<8).flatMap { _ in [UInt8(bits & 255), UInt8(bits >> 8)] }
        }
        let file = try WeightFile(bytes: network.bytes)
        #expect(file.tensors["ctx.bias"]?.values == Array(repeating: value, count: 8))
    }

    /// A file that must be refused, and a part of the expected reason.
    struct InvalidFile: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let says: String
        let spoil: @Sendable (inout TinyNetwork) -> Void

        init(
            _ name: String, _ says: String, _ spoil: @escaping @Sendable (inout TinyNetwork) -> Void
        ) {
            testDescription = name
            self.says = says
            self.spoil = spoil
        }
    }

    static let invalidFiles = [
        InvalidFile("another kind of file", "does not begin") { $0.magic[0] = 0x88 },
        InvalidFile("a later version", "version 2") { $0.version = 2 },
        InvalidFile("no picture", "side, 0,") { $0.side = 0 },
        InvalidFile("a picture of another step", "side, 100,") { $0.side = 100 },
        InvalidFile("a huge picture", "side, 4294967264,") { $0.side = 4_294_967_264 },
        InvalidFile("more tensors announced", "ends at byte") { $0.announcedMore = 1 },
        InvalidFile("fewer tensors announced", "bytes follow") { $0.announcedMore = ~0 },
        InvalidFile("bytes after the end", "3 bytes follow") { $0.trailing = [1, 2, 3] },
        InvalidFile("a note that is no text", "not UTF-8") { $0.note = [0xFF, 0xFE] },
        InvalidFile("an unknown kind", "kind 9") { $0.tensors[3].kind = 9 },
        InvalidFile("no dimensions", "0 dimensions") { $0.tensors[3].shape = [] },
        InvalidFile("too many dimensions", "5 dimensions") {
            $0.tensors[3].shape = [1, 1, 1, 1, 8]
        },
        InvalidFile("an empty side", "side of 0") { $0.tensors[3].shape[0] = 0 },
        InvalidFile("sides whose product overflows", "side of 4294967295") {
            $0.tensors[2].shape = [.max, .max, .max, .max]
        },
        InvalidFile("not a number", "not finite") {
            $0.tensors[1].data[3] = 0x7F
            $0.tensors[1].data[2] = 0xC0
        },
        InvalidFile("a tensor twice", "twice") { $0.tensors.append($0.tensors[0]) },
        InvalidFile("a layer of other inputs", "s4.0 has the shape") {
            $0.change("s4.0.weight") { $0.shape = [8, 3, 3, 8] }
        },
        InvalidFile("channels that are no multiple of eight", "9 × 3 × 3 × 3") {
            $0.change("s2.weight") {
                $0.shape = [9, 3, 3, 3]
                $0.data += $0.data.prefix(108)
            }
        },
        InvalidFile("a kernel of four", "s4.1.m.1 has the shape") {
            $0.change("s4.1.m.1.weight") {
                $0.shape = [8, 1, 4, 4]
                $0.data += $0.data.prefix(224)
            }
        },
        InvalidFile("too few biases", "pres.bias has the shape") {
            $0.change("pres.bias") {
                $0.shape = [2]
                $0.data += $0.data
            }
        },
        InvalidFile("a falling calibration", "calibration does not grow") {
            $0.add("calibration", [3, 2], [0, 0, 0.5, 0.8, 1, 0.7])
        },
        InvalidFile("a calibration of three columns", "calibration has the shape") {
            $0.add("calibration", [2, 3], [0, 0, 0.5, 0.8, 1, 0.7])
        },
    ]

    @Test("An invalid file is refused with the reason", arguments: invalidFiles)
    func refused(file: InvalidFile) {
        var network = TinyNetwork()
        file.spoil(&network)
        let error = #expect(throws: DetectionError.self) {
            try NetworkWeights(bytes: network.bytes)
        }
        #expect(error?.code == .weights)
        #expect(error?.message.contains(file.says) == true, "\(error?.message ?? "nothing")")
    }

    @Test("A file without one of its layers is refused by the layer's name")
    func missing() {
        let whole = TinyNetwork()
        for index in whole.tensors.indices {
            var network = whole
            let name = String(decoding: network.tensors.remove(at: index).name, as: UTF8.self)
            let error = #expect(throws: DetectionError.self) {
                try NetworkWeights(bytes: network.bytes)
            }
            #expect(error?.message.contains("\(name) is missing") == true, "\(name)")
        }
    }

    @Test("A truncated file is refused")
    func truncated() {
        let bytes = TinyNetwork().bytes
        for length in Array(0..<80) + Array(stride(from: 80, to: bytes.count, by: 149)) {
            #expect(throws: DetectionError.self) {
                try NetworkWeights(bytes: Array(bytes.prefix(length)))
            }
            // The truncated bytes have a correct checksum, so that the tensors are read up to the
            // cut.
            #expect(throws: DetectionError.self) {
                try NetworkWeights(bytes: TinyNetwork.sealed(Array(bytes.prefix(length))))
            }
        }
    }

    @Test("The checksum detects any changed byte, and no change crashes the reader")
    func flipped() throws {
        let bytes = TinyNetwork().bytes
        var generator = SeededGenerator(seed: 3)
        var refused = 0
        for _ in 0..<200 {
            var changed = bytes
            let anywhere = Int.random(in: 0..<bytes.count, using: &generator)
            changed[anywhere] ^= UInt8.random(in: 1...255, using: &generator)
            #expect(throws: DetectionError.self) { try NetworkWeights(bytes: changed) }
            // With a correct checksum, a changed number is accepted and a changed structure is not.
            let place = Int.random(in: 0..<600, using: &generator)
            changed = Array(bytes.dropLast(4))
            changed[place] ^= UInt8.random(in: 1...255, using: &generator)
            do {
                let network = PageNetwork(try NetworkWeights(bytes: TinyNetwork.sealed(changed)))
                let maps = Raster(width: 9, height: 9, format: .gray8).withFrameView {
                    network.look(at: $0)
                }
                _ = MapReader(maps: maps).readings()
            } catch {
                refused += 1
            }
        }
        #expect(refused > 20)
    }
}
