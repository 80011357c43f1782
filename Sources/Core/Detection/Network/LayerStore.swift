/// Reads layers from a file of weights, checks their shapes and arranges their numbers for the
/// loops of CPageNetwork.
struct LayerStore {
    /// A convolution whose number of output channels is filled up to a multiple of 8 with zeros.
    struct Convolution {
        /// The channels of an input pixel.
        let inputs: Int
        let outputs: Int
        /// The side of the kernel in pixels: 1 or 3.
        let kernel: Int
        /// The indexes at which the layer's panels and biases begin in the store's numbers.
        let weights: Int
        let bias: Int
    }

    /// A separate convolution of each channel.
    struct Depthwise {
        let channels: Int
        /// The side of the kernel in pixels: 3 or 5.
        let kernel: Int
        let weights: Int
        let bias: Int
    }

    private let tensors: [String: WeightFile.Tensor]
    /// The numbers of all layers that were read, one after the other.
    private(set) var numbers: [Float] = []

    private static let mostChannels = 1024

    init(_ file: WeightFile) { tensors = file.tensors }

    /// True when the file has a layer with that name.
    func has(_ name: String) -> Bool { tensors["\(name).weight"] != nil }

    /// A dense layer or convolution of `inputs` channels.
    ///
    /// - Parameters:
    ///   - kernel: the required side in pixels.
    ///   - outputs: the required number of output channels; nil for any multiple of 8.
    ///   - foldingInputs: true to sum the weights over the input channels, for a picture whose
    ///     channels are all the same.
    mutating func convolution(
        _ name: String, inputs: Int, kernel: Int = 1, outputs: Int? = nil,
        foldingInputs: Bool = false
    ) throws(DetectionError) -> Convolution {
        let weight = try tensor("\(name).weight")
        let shape = weight.shape + Array(repeating: 1, count: 4 - weight.shape.count)
        guard shape[1] == inputs, shape[2] == kernel, shape[3] == kernel,
            outputs.map({ shape[0] == $0 }) ?? (shape[0] % 8 == 0), shape[0] <= Self.mostChannels
        else { throw wrong(name, weight) }
        let bias = try biases(name, count: shape[0])
        let padded = (shape[0] + 7) / 8 * 8
        let taps = kernel * kernel
        let kept = foldingInputs ? 1 : inputs
        let start = numbers.count
        var channel = 0
        while channel < padded {
            let width = min(16, padded - channel)
            for tap in 0..<taps {
                for input in 0..<kept {
                    for output in channel..<channel + width {
                        numbers.append(
                            output >= shape[0]
                                ? 0
                                : stride(from: input, to: inputs, by: kept).reduce(Float(0)) {
                                    $0 + weight.values[(output * inputs + $1) * taps + tap]
                                })
                    }
                }
            }
            channel += width
        }
        return Convolution(
            inputs: kept, outputs: padded, kernel: kernel, weights: start,
            bias: append(bias + Array(repeating: 0, count: padded - shape[0])))
    }

    /// A separate convolution of each of `channels` channels.
    mutating func depthwise(_ name: String, channels: Int) throws(DetectionError) -> Depthwise {
        let weight = try tensor("\(name).weight")
        guard weight.shape.count == 4, weight.shape[0] == channels, weight.shape[1] == 1,
            weight.shape[2] == weight.shape[3], [3, 5].contains(weight.shape[2])
        else { throw wrong(name, weight) }
        let kernel = weight.shape[2]
        let bias = try biases(name, count: channels)
        let start = numbers.count
        for tap in 0..<kernel * kernel {
            for channel in 0..<channels {
                numbers.append(weight.values[channel * kernel * kernel + tap])
            }
        }
        return Depthwise(channels: channels, kernel: kernel, weights: start, bias: append(bias))
    }

    /// Pairs of numbers in 0…1, both increasing; empty when the file has no such tensor.
    func pairs(_ name: String) throws(DetectionError) -> [(Double, Double)] {
        guard let table = tensors[name] else { return [] }
        guard table.shape.count == 2, table.shape[1] == 2, table.shape[0] >= 2 else {
            throw wrong(name, table)
        }
        let pairs = (0..<table.shape[0]).map {
            (Double(table.values[2 * $0]), Double(table.values[2 * $0 + 1]))
        }
        guard pairs.allSatisfy({ (0...1).contains($0.0) && (0...1).contains($0.1) }),
            zip(pairs, pairs.dropFirst()).allSatisfy({ $0.0 < $1.0 && $0.1 <= $1.1 })
        else { throw WeightFile.damaged("\(name) does not grow from 0 to 1") }
        return pairs
    }

    private mutating func append(_ values: [Float]) -> Int {
        numbers += values
        return numbers.count - values.count
    }

    private func biases(_ name: String, count: Int) throws(DetectionError) -> [Float] {
        let bias = try tensor("\(name).bias")
        guard bias.shape == [count] else { throw wrong("\(name).bias", bias) }
        return bias.values
    }

    private func tensor(_ name: String) throws(DetectionError) -> WeightFile.Tensor {
        guard let tensor = tensors[name] else { throw WeightFile.damaged("\(name) is missing") }
        return tensor
    }

    private func wrong(_ name: String, _ tensor: WeightFile.Tensor) -> DetectionError {
        let shape = tensor.shape.map(String.init).joined(separator: " × ")
        return WeightFile.damaged("\(name) has the shape \(shape), which does not fit its place")
    }
}
