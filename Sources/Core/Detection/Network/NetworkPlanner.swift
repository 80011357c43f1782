import CPageNetwork

/// Lays the network out in working memory.
struct NetworkPlanner {
    /// The addresses of the maps' logits (the first three of every eight channels), and of the
    /// logit of the page's presence.
    let logits: Activation
    let presence: Activation

    private let weights: NetworkWeights
    private let stem: Activation
    private let second: Activation
    /// Memory that all blocks share for their widened and filtered channels: large, and read soon
    /// after it is written.
    private let wide: UnsafeMutablePointer<Float>
    private let filtered: UnsafeMutablePointer<Float>
    private let stages: [[Activation]]
    private let merged: [(coarse: Activation, sum: Activation, result: Activation)]
    private let context: (mean: Activation, result: Activation)
    private let mixed: Activation

    init(_ weights: NetworkWeights, _ memory: NetworkMemory) {
        self.weights = weights
        let side = weights.side
        // Where only one layer writes, the border stays zero from the start.
        stem = memory.take(side: side / 2, channels: weights.colorStem.outputs, border: 1)
        second = memory.take(side: side / 4, channels: weights.second.outputs)
        var (mostWide, mostFiltered) = (0, 0)
        func widest(_ channels: Int, from: Int, to: Int, _ kernel: Int) {
            let edge = from + kernel / 2 * 2
            mostWide = max(mostWide, edge * edge * channels)
            mostFiltered = max(mostFiltered, to * to * channels)
        }
        var scale = side / 4
        stages = weights.stages.map { blocks in
            blocks.map { block in
                let from = scale
                scale /= block.stride
                widest(block.widen.outputs, from: from, to: scale, block.filter.kernel)
                return memory.take(side: scale, channels: block.narrow.outputs)
            }
        }
        let bottom = weights.context.outputs
        context = (
            memory.take(side: 1, channels: bottom), memory.take(side: 1, channels: bottom)
        )
        merged = weights.merges.map { merge in
            let coarse = memory.take(side: scale, channels: merge.coarse.outputs)
            scale *= 2
            widest(merge.filter.channels, from: scale, to: scale, merge.filter.kernel)
            return (
                coarse,
                memory.take(
                    side: scale, channels: merge.fine.outputs, border: merge.filter.kernel / 2),
                // The head's filter reads the last activation with a border.
                memory.take(
                    side: scale, channels: merge.mix.outputs, border: weights.headFilter.kernel / 2)
            )
        }
        widest(weights.headFilter.channels, from: scale, to: scale, weights.headFilter.kernel)
        mixed = memory.take(side: scale, channels: weights.headMix.outputs)
        logits = memory.take(side: scale, channels: weights.head.outputs)
        presence = memory.take(side: 1, channels: weights.presence.outputs)
        wide = memory.take(count: mostWide)
        filtered = memory.take(count: mostFiltered)
    }

    /// All calls from a picture, with a border of one pixel, to the logits.
    func plan(_ first: LayerStore.Convolution, on picture: Activation) -> NetworkPlan {
        var plan = NetworkPlan(weights.numbers)
        plan.convolve(first, picture, stride: 2, to: stem, rectify: PN_AFTER_ADDING)
        plan.convolve(weights.second, stem, stride: 2, to: second, rectify: PN_AFTER_ADDING)
        var last = second
        for (blocks, results) in zip(weights.stages, stages) {
            for (block, result) in zip(blocks, results) {
                add(block, from: last, to: result, &plan)
                last = result
            }
        }
        plan.mean(of: last, into: context.mean.origin)
        plan.convolve(
            weights.context, context.mean, to: context.result, rectify: PN_AFTER_ADDING)
        plan.convolve(weights.presence, context.result, to: presence, rectify: PN_NEVER)
        plan.spread(context.result.origin, over: last)
        for (index, merge) in weights.merges.enumerated() {
            let (coarse, sum, result) = merged[index]
            let fine = stages[2 - index][stages[2 - index].count - 1]
            plan.convolve(merge.coarse, last, to: coarse, rectify: PN_NEVER)
            plan.convolve(merge.fine, fine, to: sum, rectify: PN_AFTER_ADDING, adding: coarse)
            let inner = shared(filtered, result.side, merge.filter.channels)
            plan.filter(merge.filter, sum, to: inner)
            plan.convolve(merge.mix, inner, to: result, rectify: PN_BEFORE_ADDING, adding: sum)
            last = result
        }
        let inner = shared(filtered, last.side, weights.headFilter.channels)
        plan.filter(weights.headFilter, last, to: inner)
        plan.convolve(weights.headMix, inner, to: mixed, rectify: PN_AFTER_ADDING)
        plan.convolve(weights.head, mixed, to: logits, rectify: PN_NEVER)
        return plan
    }

    private func add(
        _ block: NetworkWeights.Block, from input: Activation, to result: Activation,
        _ plan: inout NetworkPlan
    ) {
        let widened = shared(
            wide, input.side, block.widen.outputs, border: block.filter.kernel / 2)
        let inner = shared(filtered, result.side, block.filter.channels)
        plan.convolve(block.widen, input, to: widened, rectify: PN_AFTER_ADDING)
        plan.filter(block.filter, widened, stride: block.stride, to: inner)
        let isResidual = block.stride == 1 && input.channels == result.channels
        plan.convolve(
            block.narrow, inner, to: result, rectify: PN_NEVER, adding: isResidual ? input : nil)
    }

    private func shared(
        _ memory: UnsafeMutablePointer<Float>, _ side: Int, _ channels: Int, border: Int = 0
    ) -> Activation {
        Activation(base: memory, side: side, channels: channels, border: border)
    }
}
