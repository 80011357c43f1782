/// The working memory of one network, which starts as zeros.
final class NetworkMemory {
    private var blocks: [UnsafeMutableBufferPointer<Float>] = []

    deinit { for block in blocks { block.deallocate() } }

    /// Room for `count` floats.
    func take(count: Int) -> UnsafeMutablePointer<Float> {
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: max(1, count))
        block.initialize(repeating: 0)
        blocks.append(block)
        // A buffer with at least one float has an address.
        return block.baseAddress!
    }

    /// Room for an activation.
    func take(side: Int, channels: Int, border: Int = 0) -> Activation {
        let edge = side + 2 * border
        return Activation(
            base: take(count: edge * edge * channels), side: side, channels: channels,
            border: border)
    }
}
