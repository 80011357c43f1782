import CPageNetwork
import Glibc

/// One copy of the page network with its working memory: a picture in, three maps and the presence of a page out.
///
/// Nothing is allocated after `init`. For one thread at a time.
final class PageNetwork {
    /// Pixels a side of the picture, and cells a side of the maps.
    let side: Int
    let mapSide: Int
    let weights: NetworkWeights
    let kernels: UnsafePointer<pn_kernels>

    private let memory = NetworkMemory()
    private let picture: (luma: Activation, colour: Activation)
    private let plans: (luma: NetworkPlan, colour: NetworkPlan)
    private let logits: Activation
    private let presence: Activation
    private let maps: UnsafeMutablePointer<Float>
    private var mixedRow: UnsafeMutableBufferPointer<Float>

    /// - Parameter kernels: the loops to use: the fastest that the processor can run unless given.
    init(_ weights: NetworkWeights, kernels: UnsafePointer<pn_kernels>? = nil) {
        self.weights = weights
        // The list is never empty: its last entry runs everywhere.
        self.kernels = kernels ?? pn_kernels_at(0)!
        side = weights.side
        mapSide = weights.side / 4
        let planner = NetworkPlanner(weights, memory)
        let luma = memory.take(side: side, channels: 1, border: 1)
        let colour = memory.take(side: side, channels: 3, border: 1)
        picture = (luma, colour)
        plans = (
            planner.plan(weights.lumaStem, on: luma), planner.plan(weights.colourStem, on: colour)
        )
        logits = planner.logits
        presence = planner.presence
        maps = memory.take(count: 3 * mapSide * mapSide)
        mixedRow = .allocate(capacity: 0)
    }

    deinit { mixedRow.deallocate() }

    /// Looks at a frame, squeezed into the network's square by area averaging.
    func look(at frame: FrameView) -> PageMaps {
        if mixedRow.count < frame.width * frame.pixelBytes {
            mixedRow.deallocate()
            mixedRow = .allocate(capacity: frame.width * frame.pixelBytes)
            mixedRow.initialize(repeating: 0)
        }
        let target = frame.isColour ? picture.colour : picture.luma
        var call = pn_reduction()
        call.bytes = frame.base.assumingMemoryBound(to: UInt8.self)
        call.width = frame.width
        call.height = frame.height
        call.row = frame.rowBytes
        call.pixel = frame.pixelBytes
        call.channels = target.channels
        call.side = side
        call.output = target.origin
        call.output_row = target.row
        call.scratch = mixedRow.baseAddress
        kernels.pointee.reduce(&call)
        return lookAgain(isColour: frame.isColour)
    }

    /// Looks at the picture as it stands in the working memory.
    func lookAgain(isColour: Bool) -> PageMaps {
        (isColour ? plans.colour : plans.luma).run(kernels)
        pn_probabilities(logits.origin, mapSide * mapSide, maps)
        return PageMaps(
            side: mapSide, values: UnsafePointer(maps),
            presence: 1 / (1 + exp(-Double(presence.origin[0]))))
    }

    /// The squeezed picture of the last frame, −2…2, for looking again at a changed one.
    func withPicture<Result>(isColour: Bool, _ body: (Activation) -> Result) -> Result {
        body(isColour ? picture.colour : picture.luma)
    }
}
