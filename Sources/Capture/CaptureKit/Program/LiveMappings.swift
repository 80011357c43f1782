import Glibc
import Synchronization

/// The host's memory for live frames, mapped once and reused.
///
/// Mapping 6 MB and touching each of its pages for the first time takes longer than writing a
/// frame.
///
/// `@unchecked Sendable`: only one capturing task uses the addresses, one frame after the other.
final class LiveMappings: @unchecked Sendable {
    private struct Mapping {
        var device: dev_t
        var file: ino_t
        var memory: UnsafeMutableRawBufferPointer
    }

    /// The host uses at most 64 buffers in turn.
    private static let most = 64
    private let mappings = Mutex<[Mapping]>([])

    deinit {
        for mapping in mappings.withLock({ $0 }) {
            munmap(mapping.memory.baseAddress, mapping.memory.count)
        }
    }

    /// The first `size` bytes of a file in memory, mapped for reading and writing; nil, with
    /// `errno`, on failure.
    ///
    /// A mapping keeps its file open, so that no other file gets the same inode number meanwhile.
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
