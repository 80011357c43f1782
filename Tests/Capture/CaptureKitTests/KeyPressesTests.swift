import Dispatch
import Glibc
import Synchronization
import Testing

@testable import CaptureKit

@Suite("Keys of input devices") struct KeyPressesTests {
    /// An event as the kernel writes it: no time, then the kind, the code and the value.
    private func event(_ kind: UInt8, _ code: UInt8, _ value: UInt8) -> [UInt8] {
        Array(repeating: 0, count: MemoryLayout<timeval>.size) + [kind, 0, code, 0, value, 0, 0, 0]
    }

    @Test("Presses count; releases, repetitions and other events do not", arguments: [1, 7, 500])
    func counting(piece: Int) {
        let events =
            event(1, 48, 1) + event(1, 48, 2) + event(1, 48, 0) + event(0, 0, 0)
            + event(2, 1, 1) + event(1, 57, 1)
        var rest: [UInt8] = []
        var count = 0
        for start in stride(from: 0, to: events.count, by: piece) {
            count += KeyPresses.presses(
                in: events[start..<min(start + piece, events.count)], after: &rest)
        }
        #expect(count == 2)
        #expect(rest.isEmpty)
    }
}

@Suite("Waiting for input") struct InputWatchTests {
    @Test("Input and a closed other end are reported, some thousand times")
    func hangup() throws {
        for round in 0..<2_000 {
            let (near, far) = try OwnedDescriptor.socketPair()
            let told = Mutex<[Int]>([])
            let ended = DispatchSemaphore(value: 0)
            let watch = try InputWatch("test-input", of: near.raw) {
                var byte: UInt8 = 0
                let count = read(near.raw, &byte, 1)
                told.withLock { $0.append(count) }
                if count == 1 { return true }
                ended.signal()
                return false
            }
            var byte: UInt8 = 1
            #expect(write(far.raw, &byte, 1) == 1)
            if round.isMultiple(of: 2) { usleep(20) }
            shutdown(far.raw, Int32(SHUT_RDWR))
            ended.wait()
            #expect(told.withLock { $0 } == [1, 0])
            watch.stop()
        }
    }

    @Test("A stopped watch reports nothing and releases its closure")
    func stopping() throws {
        let (near, far) = try OwnedDescriptor.socketPair()
        final class Kept: Sendable {
            let gone: DispatchSemaphore
            init(_ gone: DispatchSemaphore) { self.gone = gone }
            deinit { gone.signal() }
        }
        let gone = DispatchSemaphore(value: 0)
        let count = Mutex(0)
        var kept: Kept? = Kept(gone)
        let watch = try InputWatch("test-input", of: near.raw) { [kept] in
            _ = kept
            count.withLock { $0 += 1 }
            return true
        }
        kept = nil
        watch.stop()
        gone.wait()
        var byte: UInt8 = 1
        #expect(write(far.raw, &byte, 1) == 1)
        #expect(count.withLock { $0 } == 0)
    }
}
