/// The straight line that contrast and brightness make of the tone scale.
struct Tone {
    /// Steepness, 0…3.9.
    let contrast: Double
    /// What is added after it, on the scale 0…255.
    let offset: Double

    init(contrast: Double, brightness: Double) {
        self.contrast = min(max(contrast, 0), 3.9)
        offset = 127.5 - 127.5 * self.contrast + min(max(brightness, -1), 1) * 255
    }

    /// A value on the 16-bit scale.
    func deep(_ value: Float) -> Float {
        min(max(value * Float(contrast) + Float(offset * 257), 0), 65535).rounded()
    }

    /// The 256 values of the 8-bit scale.
    var table: ToneTable {
        ToneTable(
            (0..<256).map { UInt8(min(max(Double($0) * contrast + offset, 0), 255).rounded()) })
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

    /// Looks `count` samples up.
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
