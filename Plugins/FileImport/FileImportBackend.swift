public import CaptureKit
import FileNames

/// Serves files and folders as devices whose pages are the pages of the files, and recordings whose
/// frames are live.
///
/// A recording (a video, YUV4MPEG2, Motion JPEG bare or in AVI, a folder of pictures) gives its
/// frames one after another, each with its time, as fast as the host reads. So the result of
/// watching it does not depend on the machine's speed.
///
/// A device's id is the absolute path of a file or folder, so nothing is listed and everything that
/// exists can be opened. Formats are recognized by their content, never by a file's name.
public struct FileImportBackend: CaptureBackend {
    private let limits: ImportLimits

    private let onRead: @Sendable (String) -> Void

    /// A backend that accepts files within `limits`.
    public init(limits: ImportLimits = ImportLimits()) { self.init(limits: limits) { _ in } }

    /// A backend that calls `onRead` with the name of each file and page before reading it, for
    /// tests that crash or hang there.
    package init(
        limits: ImportLimits = ImportLimits(), onRead: @escaping @Sendable (String) -> Void
    ) {
        self.limits = limits
        self.onRead = onRead
    }

    /// Lists nothing: files are named by their users, not discovered.
    public func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] { [] }

    /// Opens the file or folder at the absolute path `id`.
    ///
    /// - Throws: ``CaptureError``: `noSuchDevice`, `permissionDenied`, `unsupported` (a socket,
    ///   pipe or device), `inputOutput`.
    public func open(_ id: String) async throws -> any CaptureDevice {
        guard id.utf8.first == UInt8(ascii: "/"), !id.utf8.contains(0) else {
            throw CaptureError(
                .noSuchDevice, "'\(shownName(FileNames.bytes(id)))' is not an absolute path",
                advice: "Give the whole path, such as file:/home/me/scan.pdf")
        }
        let worker = ImportWorker()
        let path = FilePath(id)
        let kind = try await worker.run { _ in
            do throws(DecodeFault) {
                let file = try OpenFile(path)
                if file.isFolder { return FileDevice.Kind.folder }
                let head = try file.read(at: 0, count: ImportFormat.headLength)
                return RecordingKind.isRecordingAlone(head, named: path) ? .recording : .file
            } catch {
                throw error.sentence(for: path.display)
            }
        }
        return FileDevice(
            path: path, kind: kind, worker: worker, limits: limits, onRead: onRead)
    }
}
