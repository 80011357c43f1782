import CPageNetwork
import FoundationEssentials
import Imaging
import Testing

@testable import Detection

@Suite struct NetworkTests {
    /// The training framework's output for a picture: logits at places of the maps.
    struct Answers: Decodable {
        var presence: Double
        /// Map, row, column, logit.
        var points: [[Double]]
    }

    struct Expected: Decodable {
        var checksum: UInt32
        var color: Answers
        var luma: Answers
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")

    /// A network of the program, with the name of its files.
    enum Network: String, CaseIterable {
        case page, card

        var weights: NetworkWeights {
            get throws { try (self == .page ? NetworkWeights.pages : NetworkWeights.cards).get() }
        }

        var expected: Expected {
            get throws {
                let file = NetworkTests.folder.appending(path: "\(rawValue)-network.json")
                return try JSONDecoder().decode(Expected.self, from: Data(contentsOf: file))
            }
        }
    }

    static func picture(_ name: String) throws -> Raster {
        try Raster.decoded(
            from: [UInt8](Data(contentsOf: folder.appending(path: "network-\(name).png"))))
    }

    /// All implementations that this machine can run, including the portable one.
    static let implementations = (0..<8).prefix { pn_kernels_at($0) != nil }

    /// The greatest difference of a probability due to half-precision weights and another order of
    /// sums.
    static let tolerance = 0.01

    @Test(
        "Every implementation gives the training framework's results",
        arguments: implementations, Network.allCases)
    func equality(index: Int, which: Network) throws {
        let network = PageNetwork(try which.weights, kernels: pn_kernels_at(index))
        let expected = try which.expected
        try Self.compare(network, with: expected.color, "color")
        try Self.compare(network, with: expected.luma, "luma")
    }

    private static func compare(
        _ network: PageNetwork, with answers: Answers, _ name: String
    ) throws {
        let maps = try Self.picture(name).withFrameView { network.look(at: $0) }
        #expect((maps.presence - Self.probability(answers.presence)).magnitude < Self.tolerance)
        #expect(answers.points.count >= 300)
        var worst = 0.0
        for point in answers.points {
            let (map, row, column) = (Int(point[0]), Int(point[1]), Int(point[2]))
            let value = maps.values[(map * maps.side + row) * maps.side + column]
            worst = max(worst, (Double(value) - Self.probability(point[3])).magnitude)
        }
        #expect(worst < Self.tolerance)
    }

    @Test("The program's weights are those of the stored results", arguments: Network.allCases)
    func agreement(which: Network) throws {
        #expect(
            try which.weights.checksum == which.expected.checksum,
            "Run Scripts/train-detector/export_weights.py, which writes both.")
    }

    @Test("A second run gives the same result, without traces of another picture")
    func repeated() throws {
        let network = PageNetwork(try NetworkWeights.pages.get())
        func look(_ raster: Raster) -> [Float] {
            let maps = raster.withFrameView { network.look(at: $0) }
            return Array(UnsafeBufferPointer(start: maps.values, count: 3 * maps.side * maps.side))
        }
        let color = try Self.picture("color")
        let first = look(color)
        _ = look(try Self.picture("luma"))
        _ = look(Raster(width: 7, height: 900, format: .rgb8))
        let isSame = look(color) == first
        #expect(isSame)
    }

    static func probability(_ logit: Double) -> Double {
        // Computes exp by squaring its series, because the tests import no C library.
        var value = 1 - logit / 65536
        for _ in 0..<16 { value *= value }
        return 1 / (1 + value)
    }
}
