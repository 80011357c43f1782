/// The linear function by which contrast and brightness change a level.
struct Tone {
    /// Steepness, 0…3.9.
    let contrast: Double
    /// The number that is added after multiplying, on the scale 0…1.
    let brightness: Double

    init(contrast: Double, brightness: Double) {
        self.contrast = contrast.clipped(to: 0...3.9, otherwise: 1)
        self.brightness = brightness.clipped(to: -1...1, otherwise: 0)
    }

    /// The changed level on the scale 0…`top`, rounded.
    func apply(_ value: Double, top: Double) -> Double {
        let middle = top / 2
        let line = (value - middle) * contrast + middle + brightness * top
        return min(max(line, 0), top).rounded()
    }

    /// The changed levels for all 256 levels of 8 bits.
    var table: ToneTable {
        ToneTable((0..<256).map { UInt8(apply(Double($0), top: 255)) })
    }
}

/// A value for each of the 256 levels of an 8-bit sample.
struct ToneTable {
    private let values: [UInt8]
    private let isIdentity: Bool

    init(_ values: [UInt8]) {
        precondition(values.count == 256, "a tone table has 256 values")
        self.values = values
        isIdentity = values.indices.allSatisfy { values[$0] == $0 }
    }

    /// Replaces `count` samples by their values in the table.
    func apply(
        _ from: UnsafePointer<UInt8>, to: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        if isIdentity {
            to.update(from: from, count: count)
            return
        }
        values.withUnsafeBufferPointer { table in
            let table = table.baseAddress!
            var i = 0
            while i < count {
                to[i] = table[Int(from[i])]
                i &+= 1
            }
        }
    }
}
