import CPageNetwork

/// The calls for one pass through the network, with every address computed beforehand.
struct NetworkPlan {
    enum Step {
        case product(pn_product)
        case depthwise(pn_depthwise)
        case clearBorder(Activation)
        /// The mean of all pixels.
        case mean(of: Activation, into: UnsafeMutablePointer<Float>)
        /// Adds one pixel to all pixels.
        case spread(UnsafePointer<Float>, over: Activation)
    }

    private(set) var steps: [Step] = []
    private let numbers: UnsafePointer<Float>

    init(_ numbers: UnsafePointer<Float>) { self.numbers = numbers }

    /// A convolution; `input` has a border of at least half the kernel.
    mutating func convolve(
        _ layer: LayerStore.Convolution, _ input: Activation, stride: Int = 1,
        to output: Activation, rectify: pn_rectify, adding addend: Activation? = nil
    ) {
        let reach = layer.kernel / 2
        var call = pn_product()
        call.input = UnsafePointer(input.origin - reach * (input.row + input.channels))
        call.input_row = stride * input.row
        call.input_pixel = stride * input.channels
        call.segments = layer.kernel
        call.segment_length = layer.kernel * layer.inputs
        call.segment_stride = input.row
        call.weights = numbers + layer.weights
        call.bias = numbers + layer.bias
        if let addend {
            call.addend = UnsafePointer(addend.origin)
            call.addend_row = addend.row
            call.addend_pixel = addend.channels
            call.addend_shift = addend.side == output.side ? 0 : 1
        }
        call.output = output.origin
        call.output_row = output.row
        call.output_pixel = output.channels
        call.rows = output.side
        call.pixels = output.side
        call.channels = layer.outputs
        call.rectify = rectify
        steps.append(.product(call))
    }

    /// A separate convolution of each channel; `input` has a border of half the kernel, which this
    /// call clears.
    mutating func filter(
        _ layer: LayerStore.Depthwise, _ input: Activation, stride: Int = 1, to output: Activation
    ) {
        steps.append(.clearBorder(input))
        var call = pn_depthwise()
        call.input = UnsafePointer(input.base)
        call.input_row = input.row
        call.weights = numbers + layer.weights
        call.bias = numbers + layer.bias
        call.output = output.origin
        call.output_row = output.row
        call.rows = output.side
        call.pixels = output.side
        call.channels = layer.channels
        call.kernel = layer.kernel
        call.stride = stride
        steps.append(.depthwise(call))
    }

    mutating func mean(of activation: Activation, into result: UnsafeMutablePointer<Float>) {
        steps.append(.mean(of: activation, into: result))
    }

    mutating func spread(_ pixel: UnsafePointer<Float>, over activation: Activation) {
        steps.append(.spread(pixel, over: activation))
    }

    /// Makes all calls.
    func run(_ kernels: UnsafePointer<pn_kernels>) {
        for step in steps {
            switch step {
            case .product(var call): kernels.pointee.product(&call)
            case .depthwise(var call): kernels.pointee.depthwise(&call)
            case .clearBorder(let activation): activation.clearBorder()
            case .mean(let activation, let result): Self.mean(of: activation, into: result)
            case .spread(let pixel, let activation): Self.spread(pixel, over: activation)
            }
        }
    }

    private static func mean(of activation: Activation, into result: UnsafeMutablePointer<Float>) {
        let (side, channels) = (activation.side, activation.channels)
        result.update(repeating: 0, count: channels)
        for y in 0..<side {
            for x in 0..<side {
                let pixel = activation.origin + y * activation.row + x * channels
                for c in 0..<channels { result[c] += pixel[c] }
            }
        }
        let share = 1 / Float(side * side)
        for c in 0..<channels { result[c] *= share }
    }

    private static func spread(_ values: UnsafePointer<Float>, over activation: Activation) {
        let (side, channels) = (activation.side, activation.channels)
        for y in 0..<side {
            for x in 0..<side {
                let pixel = activation.origin + y * activation.row + x * channels
                for c in 0..<channels { pixel[c] += values[c] }
            }
        }
    }
}
