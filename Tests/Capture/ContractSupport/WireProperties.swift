import CaptureHost
import CaptureKit
import FoundationEssentials
import Glibc

/// Properties that hold for any bytes on a connection: reading ends, and messages can be used and
/// encoded again.
package enum WireProperties {
    /// The maximum number of bytes that can be checked: they must fit into a socket's buffer,
    /// because nobody else reads it meanwhile.
    package static let longest = 65_536

    /// Reads bytes with the host's reader and with the backend's reader.
    ///
    /// - Returns: The property that does not hold; nil if all hold.
    package static func fault(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count <= longest, let (ours, theirs) = try? OwnedDescriptor.socketPair() else {
            return nil
        }
        guard send(theirs.raw, bytes.baseAddress, bytes.count, 0) == bytes.count else { return nil }
        shutdown(theirs.raw, Int32(SHUT_WR))
        let reader = WireReader(socket: ours, acceptsDescriptors: true)
        var lines = 0
        do throws(WireError) {
            while let line = try reader.next() {
                lines += 1
                if let fault = fault(line) { return fault }
                // The bytes after every other message are left to the reader.
                var count = 0
                if lines % 2 == 0 { try reader.readBytes { count += $0.count } }
                if count > line.header.bytes ?? 0 {
                    return "\(count) bytes came with \(line.header)"
                }
            }
        } catch {
            return error.message.isEmpty ? "an error without a message" : nil
        }
        let ends = bytes.count { $0 == 10 }
        return lines <= ends ? nil : "\(lines) lines of \(ends)"
    }

    private static func fault(_ line: WireLine) -> String? {
        for check in checks {
            if let fault = check(line) { return fault }
        }
        return nil
    }

    /// Every kind of message, since any of them may be read from bytes.
    private static let checks: [@Sendable (WireLine) -> String?] = [
        { again(Wire.Empty.self, $0) }, { again(Wire.Hello.self, $0) },
        { again(Wire.HelloAnswer.self, $0) }, { again(DeviceQuery.self, $0) },
        { again(Wire.Devices.self, $0, devices) }, { again(Wire.Open.self, $0) },
        { again(Wire.OpenAnswer.self, $0) }, { again(Wire.Handle.self, $0) },
        { again(Wire.Options.self, $0, options) }, { again(Wire.Set.self, $0) },
        { again(OptionOutcome.self, $0) }, { again(Wire.Capture.self, $0) },
        { again(Wire.Cancel.self, $0) }, { again(Wire.FrameReference.self, $0) },
        { again(Wire.Frame.self, $0, frame) }, { again(Wire.Buffer.self, $0) },
        { again(Wire.Rows.self, $0) }, { again(Wire.Text.self, $0) },
        { again(Wire.Source.self, $0) },
        { again(Wire.Skipped.self, $0) },
        { again(Wire.DeviceAdded.self, $0) { devices(Wire.Devices(devices: [$0.device])) } },
        { again(Wire.DeviceRemoved.self, $0) }, { again(Wire.Log.self, $0) },
    ]

    /// Decodes a line as one kind of message, encodes it, decodes that, and compares the two.
    private static func again<Body: Codable & Hashable>(
        _ type: Body.Type, _ line: WireLine, _ check: (Body) -> String? = { _ in nil }
    ) -> String? {
        guard let body = try? line.decode(type) else { return nil }
        if let fault = check(body) { return "\(type): \(fault)" }
        do throws(WireError) {
            let written = try WireWriter.line(WireMessage(line.header, body))
            let back = try WireLine(written.dropLast())
            guard back.header == line.header else { return "\(back.header) was \(line.header)" }
            let second = try back.decode(type)
            return second == body ? nil : "\(second) was \(body)"
        } catch {
            // Escapes may make a line longer than the limit.
            return error.code == .lineTooLong ? nil : "\(type) can't be written: \(error.message)"
        }
    }

    private static func devices(_ answer: Wire.Devices) -> String? {
        guard DeviceRules.fault(answer.devices) == nil else { return nil }
        return answer.devices.contains { $0.id.isEmpty } ? "a device without an id is taken" : nil
    }

    private static func options(_ answer: Wire.Options) -> String? {
        _ = DeviceRules.fault(answer.options)
        for option in answer.options {
            var values: [OptionValue] = [.bool(true), .integer(.min), .integer(.max), .number(0.5)]
            values += answer.options.compactMap(\.value)
            for value in values {
                guard let taken = try? option.accepting(value) else { continue }
                // A value that was accepted is accepted again, unchanged.
                guard (try? option.accepting(taken)) == taken else {
                    return "\(option) takes \(value) as \(taken), and that not"
                }
            }
        }
        return nil
    }

    private static func frame(_ frame: Wire.Frame) -> String? {
        let sides = 1...FrameDescription.longestSide
        guard sides.contains(frame.width) else { return nil }
        let description = FrameDescription(
            format: frame.format, width: frame.width, height: frame.height, stride: frame.stride,
            capacity: frame.capacity, resolution: frame.resolution, label: frame.label,
            expected: frame.expected, time: frame.time)
        guard description.impossibility == nil else { return nil }
        let rows = description.height ?? FrameDescription.longestSide
        let (least, most) = (description.leastBytes(rows: rows), description.byteCount(rows: rows))
        guard (1...most).contains(least) else { return "\(least) to \(most) bytes: \(description)" }
        let whole = description.wholeRows(in: most)
        guard description.format == .jpeg || whole == rows else {
            return "\(most) bytes are \(whole) of \(rows) rows: \(description)"
        }
        return nil
    }
}
