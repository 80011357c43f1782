import CPageNetwork

/// The layers of the page network: an encoder of inverted residual blocks (Sandler et al.,
/// "MobileNetV2", 2018) in five scales, and a decoder that adds them up again to maps of a quarter
/// of the picture's side.
///
/// The file of weights determines how many blocks there are, with how many channels and which
/// kernels.
///
/// `@unchecked Sendable`: the numbers are never written after `init`.
final class NetworkWeights: @unchecked Sendable {
    /// Widens, filters each channel, narrows; adds its input where the shapes allow.
    struct Block {
        let widen: LayerStore.Convolution
        let filter: LayerStore.Depthwise
        let narrow: LayerStore.Convolution
        let stride: Int
    }

    /// Doubles the size of the coarser scale, adds the finer one, filters.
    struct Merge {
        let coarse: LayerStore.Convolution
        let fine: LayerStore.Convolution
        let filter: LayerStore.Depthwise
        let mix: LayerStore.Convolution
    }

    let side: Int
    let note: String
    let checksum: UInt32
    /// The first layer: for red, green and blue, and for a picture whose channels are all the same.
    let colorStem: LayerStore.Convolution
    let lumaStem: LayerStore.Convolution
    let second: LayerStore.Convolution
    /// The blocks at a quarter, an eighth, a sixteenth and a thirty-second of the picture's side.
    let stages: [[Block]]
    let context: LayerStore.Convolution
    let presence: LayerStore.Convolution
    /// The merges, from the coarsest scale to the finest.
    let merges: [Merge]
    let headFilter: LayerStore.Depthwise
    let headMix: LayerStore.Convolution
    let head: LayerStore.Convolution
    /// Raw confidences, each with the fraction of such detections that is correct; empty when not
    /// measured.
    let calibration: [(raw: Double, share: Double)]
    /// The calibration for pictures that are examined closely.
    let closeCalibration: [(raw: Double, share: Double)]
    let numbers: UnsafePointer<Float>

    private let storage: UnsafeMutableBufferPointer<Float>

    /// Checks and lays out the layers in a file.
    ///
    /// - Throws: `weights` when a layer is missing or its shape does not fit.
    init(_ file: WeightFile) throws(DetectionError) {
        var store = LayerStore(file)
        side = file.side
        note = file.note
        checksum = file.checksum
        colorStem = try store.convolution("s2", inputs: 3, kernel: 3)
        lumaStem = try store.convolution("s2", inputs: 3, kernel: 3, foldingInputs: true)
        second = try store.convolution("s4.0", inputs: colorStem.outputs, kernel: 3)
        var stages: [[Block]] = []
        var channels = second.outputs
        for (name, first) in [("s4", 1), ("s8", 0), ("s16", 0), ("s32", 0)] {
            var blocks: [Block] = []
            while store.has("\(name).\(first + blocks.count).m.0") || blocks.isEmpty {
                let stride = first == 0 && blocks.isEmpty ? 2 : 1
                let block = try Block(
                    &store, "\(name).\(first + blocks.count)", inputs: channels, stride: stride)
                channels = block.narrow.outputs
                blocks.append(block)
            }
            stages.append(blocks)
        }
        self.stages = stages
        context = try store.convolution("ctx", inputs: channels, outputs: channels)
        presence = try store.convolution("pres", inputs: channels, outputs: 1)
        var merges: [Merge] = []
        for (name, stage) in [("d16", 2), ("d8", 1), ("d4", 0)] {
            let fine = stages[stage][stages[stage].count - 1].narrow.outputs
            let merge = try Merge(&store, name, coarse: channels, fine: fine)
            channels = merge.mix.outputs
            merges.append(merge)
        }
        self.merges = merges
        headFilter = try store.depthwise("h.0", channels: channels)
        headMix = try store.convolution("h.1", inputs: channels)
        head = try store.convolution("out", inputs: headMix.outputs, outputs: 3)
        calibration = try store.pairs("calibration").map { (raw: $0.0, share: $0.1) }
        closeCalibration = try store.pairs("calibration-close").map { (raw: $0.0, share: $0.1) }
        storage = .allocate(capacity: store.numbers.count)
        _ = storage.initialize(from: store.numbers)
        // A network has many numbers, so its buffer has an address.
        numbers = UnsafePointer(storage.baseAddress!)
    }

    deinit { storage.deallocate() }

    /// The program's weights for pages of all kinds, read when first needed.
    static let pages = read(pn_page_weights)
    /// The program's weights for cards, read when first needed.
    static let cards = read(pn_card_weights)

    private static func read(
        _ file: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>?
    ) -> Result<NetworkWeights, DetectionError> {
        var count = 0
        let bytes = file(&count)
        return Result { () throws(DetectionError) in
            try NetworkWeights(WeightFile(UnsafeRawBufferPointer(start: bytes, count: count)))
        }
    }
}

extension NetworkWeights.Block {
    fileprivate init(
        _ store: inout LayerStore, _ name: String, inputs: Int, stride: Int
    ) throws(DetectionError) {
        widen = try store.convolution("\(name).m.0", inputs: inputs)
        filter = try store.depthwise("\(name).m.1", channels: widen.outputs)
        narrow = try store.convolution("\(name).m.2", inputs: widen.outputs)
        self.stride = stride
    }
}

extension NetworkWeights.Merge {
    fileprivate init(
        _ store: inout LayerStore, _ name: String, coarse: Int, fine: Int
    ) throws(DetectionError) {
        self.coarse = try store.convolution("\(name).a", inputs: coarse)
        self.fine = try store.convolution("\(name).l", inputs: fine, outputs: self.coarse.outputs)
        filter = try store.depthwise("\(name).m.0", channels: self.coarse.outputs)
        mix = try store.convolution(
            "\(name).m.1", inputs: self.coarse.outputs, outputs: self.coarse.outputs)
    }
}
