import Glibc
import Synchronization

/// The host's memory for live frames, which is reused again and again and mapped once: mapping 6 MB
/// and touching each page of it for the first time takes longer than writing a frame.
///
/// `@unchecked Sendable`: the addresses are written by one capturing task, one frame after the
/// other.
final class LiveMappings: @unchecked Sendable {
    private struct Mapping {
        var device: dev_t
        var file: ino_t
        var memory: UnsafeMutableRawBufferPointer
    }

    /// The host takes turns in at most 64 buffers.
    private static let most = 64
    private let mappings = Mutex<[Mapping]>([])

    deinit {
        for mapping in mappings.withLock({ $0 }) {
            munmap(mapping.memory.baseAddress, mapping.memory.count)
        }
    }

    /// The first `size` bytes of a file in memory, mapped for reading and writing; nil, with
    /// `errno`, when they can't be.
    ///
    /// A mapping keeps its file open, so that its inode number is not reused meanwhile.
    func memory(of descriptor: OwnedDescriptor, size: Int) -> UnsafeMutableRawBufferPointer? {
        var about = stat()
        guard fstat(descriptor.raw, &about) == 0, about.st_size >= size else { return nil }
        return mappings.withLock { mappings in
            let known = mappings.firstIndex {
                $0.device == about.st_dev && $0.file == about.st_ino && $0.memory.count >= size
            }
            if let known {
                return UnsafeMutableRawBufferPointer(rebasing: mappings[known].memory[..<size])
            }
            let flags = MAP_SHARED
            guard
                let address = mmap(nil, size, PROT_READ | PROT_WRITE, flags, descriptor.raw, 0),
                address != MAP_FAILED
            else { return nil }
            let memory = UnsafeMutableRawBufferPointer(start: address, count: size)
            if mappings.count == Self.most {
                let oldest = mappings.removeFirst().memory
                munmap(oldest.baseAddress, oldest.count)
            }
            mappings.append(Mapping(device: about.st_dev, file: about.st_ino, memory: memory))
            return memory
        }
    }
}
