import CPageNetwork
import Glibc

/// One instance of the page network with its working memory: it turns a picture into three maps and
/// the presence of a page.
///
/// Nothing is allocated after `init`. Use it on one thread at a time.
final class PageNetwork {
    /// The pixels in a side of the picture, and the cells in a side of the maps.
    let side: Int
    let mapSide: Int
    let weights: NetworkWeights
    let kernels: UnsafePointer<pn_kernels>

    private let memory = NetworkMemory()
    private let picture: (luma: Activation, color: Activation)
    private let plans: (luma: NetworkPlan, color: NetworkPlan)
    private let logits: Activation
    private let presence: Activation
    private let maps: UnsafeMutablePointer<Float>
    /// The logits of the first run, during the second.
    private let first: Activation
    private var mixedRow: UnsafeMutableBufferPointer<Float>

    /// - Parameter kernels: the loops; by default the fastest that the processor can run.
    init(_ weights: NetworkWeights, kernels: UnsafePointer<pn_kernels>? = nil) {
        self.weights = weights
        // The list is never empty: every processor can run its last entry.
        self.kernels = kernels ?? pn_kernels_at(0)!
        side = weights.side
        mapSide = weights.side / 4
        let planner = NetworkPlanner(weights, memory)
        let luma = memory.take(side: side, channels: 1, border: 1)
        let color = memory.take(side: side, channels: 3, border: 1)
        picture = (luma, color)
        plans = (
            planner.plan(weights.lumaStem, on: luma), planner.plan(weights.colorStem, on: color)
        )
        logits = planner.logits
        presence = planner.presence
        maps = memory.take(count: 3 * mapSide * mapSide)
        first = memory.take(side: logits.side, channels: logits.channels)
        mixedRow = .allocate(capacity: 0)
    }

    deinit { mixedRow.deallocate() }

    /// Runs the network on a frame, which area averaging squeezes into the network's square.
    ///
    /// - Parameter twice: see ``lookAgain(isColor:twice:)``.
    func look(at frame: FrameView, twice: Bool = false) -> PageMaps {
        if mixedRow.count < frame.width * frame.pixelBytes {
            mixedRow.deallocate()
            mixedRow = .allocate(capacity: frame.width * frame.pixelBytes)
            mixedRow.initialize(repeating: 0)
        }
        let target = frame.isColor ? picture.color : picture.luma
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
        return lookAgain(isColor: frame.isColor, twice: twice)
    }

    /// Runs the network on the picture that is in its working memory.
    ///
    /// - Parameter twice: true to also use the mirror image and average the logits of both runs,
    ///   which is more often right than either.
    func lookAgain(isColor: Bool, twice: Bool = false) -> PageMaps {
        let plan = isColor ? plans.color : plans.luma
        plan.run(kernels)
        var seen = presence.origin[0]
        if twice {
            first.origin.update(from: logits.origin, count: first.count)
            withPicture(isColor: isColor) { picture in
                picture.mirror()
                plan.run(kernels)
                picture.mirror()
            }
            logits.mirror()
            for i in 0..<first.count { logits.origin[i] = (first.origin[i] + logits.origin[i]) / 2 }
            seen = (seen + presence.origin[0]) / 2
        }
        pn_probabilities(logits.origin, mapSide * mapSide, maps)
        return PageMaps(
            side: mapSide, values: UnsafePointer(maps), presence: 1 / (1 + exp(-Double(seen))))
    }

    /// Calls `body` with the squeezed picture of the last frame, −2…2, which it may change for
    /// another run.
    func withPicture<Result>(isColor: Bool, _ body: (Activation) -> Result) -> Result {
        body(isColor ? picture.color : picture.luma)
    }
}
