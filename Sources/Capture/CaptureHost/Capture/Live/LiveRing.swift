import CPosix
import CaptureKit
import Glibc
import Synchronization

/// A few buffers in memory, which live frames use in turn.
final class LiveRing: Sendable {
    private let state: Mutex<[Slot]>

    private struct Slot {
        var buffer: LiveBuffer?
        var isTaken = false
    }

    /// A ring of `count` buffers, each made when it is first needed.
    init(count: Int) { state = Mutex(Array(repeating: Slot(), count: count)) }

    /// Reserves the first free place in the ring; nil when all places are in use.
    func takePlace() -> Int? {
        state.withLock { slots in
            guard let index = slots.firstIndex(where: { !$0.isTaken }) else { return nil }
            slots[index].isTaken = true
            return index
        }
    }

    /// The buffer of `size` bytes at a reserved place; if memory is short, the place becomes free
    /// again.
    func buffer(at index: Int, size: Int) throws -> LiveBuffer {
        if let old = state.withLock({ $0[index].buffer }), old.size == size { return old }
        do {
            let buffer = try LiveBuffer(size: size, index: index)
            state.withLock { $0[index].buffer = buffer }
            return buffer
        } catch {
            state.withLock { $0[index].isTaken = false }
            throw error
        }
    }

    /// Returns a buffer to the ring.
    func give(_ buffer: LiveBuffer) {
        state.withLock { $0[buffer.index].isTaken = false }
    }
}

/// A file in memory whose size can't change (`memfd_create`, sealed), so that reading it never
/// faults.
final class LiveBuffer: Sendable {
    let descriptor: OwnedDescriptor
    let size: Int
    fileprivate let index: Int

    fileprivate init(size: Int, index: Int) throws {
        let raw = cposix_memory_file("copystand-live")
        guard raw >= 0 else { throw SpoolFile.failure("there is no memory for live frames") }
        descriptor = OwnedDescriptor(raw)
        self.size = size
        self.index = index
        guard ftruncate(raw, off_t(size)) == 0, cposix_seal_size(raw) == 0 else {
            throw SpoolFile.failure("there is no memory for live frames")
        }
    }

    /// Copies `bytes` to `offset` (`pwrite`).
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        guard writeWhole(bytes, to: descriptor.raw, at: offset) == 0 else {
            throw SpoolFile.failure("a live frame can't be stored")
        }
    }

    /// A path under which this process can open the buffer.
    var path: String { "/proc/self/fd/\(descriptor.raw)" }
}
