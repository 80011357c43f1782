import CaptureKit
import Synchronization

// --- An open camera and its options ---

let scales = ["full": "8/8", "half": "4/8", "quarter": "2/8"]

final class Camera: CaptureDevice {
    let descriptor: DeviceDescriptor?
    let address: String
    private let list = Mutex(
        OptionList([
            DeviceOption(
                name: "size", title: "Size", help: "How large pictures are.",
                type: .choice(["full", "half", "quarter"]), defaultValue: .text("full"),
                value: .text("full")),
            DeviceOption(
                name: "repeat", title: "Repeat", help: "Take pictures until stopped.",
                type: .toggle, value: .bool(false)),
            DeviceOption(
                name: "pause", title: "Pause", help: "The time between two pictures.",
                type: .number(range: 0...3600, step: nil), unit: .seconds, value: .number(1),
                isActive: false),
        ]))

    init(_ place: Place) {
        descriptor = place.descriptor
        address = place.address
    }

    func options() async throws -> [DeviceOption] { list.withLock { $0.all } }

    func set(_ name: String, to value: OptionValue) async throws -> OptionOutcome {
        let taken = try list.withLock { try $0.set(name, to: value) }
        guard name == "repeat" else { return OptionOutcome(value: taken) }
        list.withLock { $0["pause"]?.isActive = taken == .bool(true) }
        return OptionOutcome(value: taken, reloadOptions: true)
    }

    // --- Capturing ---

    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
        if request.mode == .live { return try await live(sink, limit: request.limit) }
        let options = list.withLock { $0 }
        guard case .text(let size) = options["size"]?.value, let scale = scales[size],
            case .number(let pause) = options["pause"]?.value
        else { return }
        let repeats = options["repeat"]?.value == .bool(true)
        let most = request.limit ?? (repeats ? nil : 1)
        var (taken, tried) = (0, 0)
        while taken < most ?? .max {
            if tried > 0, repeats { try await Task.sleep(for: .seconds(pause)) }
            tried += 1
            let jpeg = try await fetch(address)
            let picture: Picture
            do {
                picture = try await Picture(decoding: jpeg, scale: scale)
            } catch let error as CaptureError where repeats && error.code == .damagedData {
                try await sink.skip(label: "picture \(tried)", error)
                continue
            }
            let frame = try await sink.begin(
                FrameDescription(
                    format: picture.format, width: picture.width, height: picture.height,
                    label: "picture \(taken + 1)", expected: most ?? taken + 1))
            try await frame.write(picture.pixels)
            let original = EncodedOriginal(mediaType: "image/jpeg", bytes: jpeg)
            try await frame.finish(original: size == "full" ? original : nil)
            taken += 1
        }
    }

    private func live(_ sink: any FrameSink, limit: Int?) async throws {
        let start = ContinuousClock.now
        var sent = 0
        while sent < limit ?? .max {
            let jpeg = try await fetch(address)
            let (width, height) = try size(of: jpeg)
            let frame = try await sink.begin(
                FrameDescription(
                    format: .jpeg, width: width, height: height,
                    capacity: width * height * 2 + 65_536,
                    time: (ContinuousClock.now - start) / .seconds(1)))
            try await frame.write(jpeg)
            try await frame.finish()
            if frame.isWanted { sent += 1 }
        }
    }

    func close() async {}
}
