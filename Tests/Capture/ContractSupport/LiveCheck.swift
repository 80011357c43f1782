import CaptureHost
import CaptureKit

/// A rule of the capture protocol for backends with live frames.
public enum LiveCheck: String, CaseIterable, Sendable {
    /// Frames come until the limit, numbered in order, with bytes that match their descriptions and
    /// times that increase.
    case films
    /// A device does not wait for a host that holds every buffer. After the host releases one, it
    /// gets frames again.
    case dropsFrames
    /// A canceled live capture ends, and the device can capture live frames and pages again.
    case survivesCancel
}

extension ContractBench {
    /// A folder that does not exist, since live frames need none.
    private var nowhere: SpoolFolder { SpoolFolder(path: folder.path) }

    func run(_ check: LiveCheck) async throws {
        let device = try await open()
        try await contract.prepare(device)
        switch check {
        case .films: try await films(device)
        case .dropsFrames: try await dropsFrames(device)
        case .survivesCancel: try await survivesCancel(device)
        }
        await device.close()
    }

    private func films(_ device: OpenDevice) async throws {
        var numbers: [Int] = []
        var time = -Double.infinity
        for try await event in device.capture(
            CaptureRequest(mode: .live, limit: 5), spool: nowhere)
        {
            guard case .page(let page) = event else { continue }
            numbers.append(page.number)
            try check(page)
            if let now = page.description.time {
                guard now > time else {
                    throw ContractViolation("a frame of \(now) s came after one of \(time) s")
                }
                time = now
            }
            page.release()
        }
        guard numbers.count == 5, numbers == numbers.sorted() else {
            throw ContractViolation("five frames were asked for, and \(numbers) came")
        }
    }

    private func check(_ page: CapturedPage) throws {
        let rows = page.description.height ?? 0
        if let fault = page.description.impossibility { throw ContractViolation(fault) }
        let mapped = try page.mapPixels()
        defer { mapped.release() }
        guard mapped.bytes.count <= page.description.byteCount(rows: rows) else {
            throw ContractViolation("a frame has \(mapped.bytes.count) bytes")
        }
        if page.description.format == .jpeg {
            let ends = (mapped.bytes.prefix(2) + mapped.bytes.suffix(2)).elementsEqual([
                0xff, 0xd8, 0xff, 0xd9,
            ])
            if !ends { throw ContractViolation("a frame of jpeg is no whole JPEG picture") }
        }
    }

    private func dropsFrames(_ device: OpenDevice) async throws {
        var held: [CapturedPage] = []
        var isFull = false
        for try await event in device.capture(
            CaptureRequest(mode: .live), spool: nowhere, ring: 2)
        {
            guard case .page(let page) = event else { continue }
            if isFull { break }
            held.append(page)
            guard held.count == 2 else { continue }
            // Both buffers are held until some frames were dropped; then the next frame must come.
            while device.statistics.dropped < 3 { try await Task.sleep(for: .milliseconds(5)) }
            isFull = true
            held = []
        }
        guard isFull, device.statistics.dropped >= 3 else {
            throw ContractViolation("no more than \(device.statistics) came")
        }
        await device.cancelCapture()
    }

    private func survivesCancel(_ device: OpenDevice) async throws {
        for _ in 1...2 {
            var frames = 0
            do {
                for try await event in device.capture(
                    CaptureRequest(mode: .live), spool: nowhere)
                {
                    guard case .page = event else { continue }
                    frames += 1
                    if frames == 2 { await device.cancelCapture() }
                }
                throw ContractViolation("a canceled film ends as if it were over")
            } catch is CancellationError {}
        }
        var pages = 0
        for try await event in device.capture(CaptureRequest(limit: 1), spool: nowhere) {
            if case .page = event { pages += 1 }
        }
        guard pages == 1 else {
            throw ContractViolation("after filming \(pages) pages came, not one")
        }
    }
}
