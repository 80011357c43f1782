import BlockingWork
public import CaptureKit
import FoundationEssentials
import Synchronization

/// Every camera that Linux knows: webcams, document cameras, grabbers (Video4Linux, version 2).
///
///     let cameras = V4L2Backend()
///     let camera = try await cameras.open("usb-046d_HD_Pro_Webcam_C920_8A5C7E2F-video-index0")
///     _ = try await camera.set("size", to: .text("1920x1080"))
///     try await camera.capture(CaptureRequest(mode: .live), into: sink)  // Motion JPEG
///
/// A camera's id is udev's link (`/dev/v4l/by-id`, else `by-path`), which survives unplugging.
/// Without udev, it is the place on the bus. Any other path to a camera can be opened as well.
///
/// The environment variable `COPYSTAND_CAMERA_FOLDER` names a folder whose `video0`, `video1` … are
/// listed instead of those in `/dev`.
public struct V4L2Backend: CaptureBackend {
    private let directory: CameraDirectory
    private let patience: CameraStream.Patience
    private let open = OpenCameras()
    private let queue = OwnQueue(label: "copystand.cameras")

    /// The backend of this machine's cameras.
    ///
    /// - Parameter folder: the folder of nodes; nil for the environment's, or else `/dev`.
    public init(folder: String? = nil) {
        let named = folder ?? ProcessInfo.processInfo.environment["COPYSTAND_CAMERA_FOLDER"]
        self.init(folder: named, patience: CameraStream.Patience())
    }

    /// A backend whose patience with silent cameras is a test's own.
    init(folder: String?, patience: CameraStream.Patience) {
        self.init(CameraFolder(nodes: folder), patience: patience)
    }

    /// A backend of the cameras in a folder that a test has prepared.
    init(_ folder: CameraFolder, patience: CameraStream.Patience = .init()) {
        directory = CameraDirectory(folder: folder)
        self.patience = patience
    }

    /// Lists the cameras: all nodes with pictures.
    ///
    /// A camera that another program uses, or that this user may not open, is listed with that
    /// state.
    public func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
        await queue.run { [directory, open] in
            directory.entries(own: open.paths).map(\.descriptor)
        }
    }

    /// Opens a camera by the id of its descriptor, or by the path of its node.
    ///
    /// - Throws: ``CaptureError``: `noSuchDevice`, `busy`, `permissionDenied`, `offline`;
    ///   `unsupported` when it is not a camera, or has no format that can be read.
    public func open(_ id: String) async throws -> any CaptureDevice {
        try await queue.run { [directory, open, patience] in
            let path = try directory.path(of: id)
            let real = directory.folder.resolved(path) ?? path
            try open.insert(real, id)
            do {
                let node = try CameraNode(path: path)
                var descriptor = CameraDirectory.descriptor(node.facts, path: path)
                descriptor.id = id
                let button = CameraButton(of: path, directory.folder)
                return try V4L2Camera(node, descriptor, button: button, patience: patience) {
                    open.remove(real)
                }
            } catch {
                open.remove(real)
                throw error
            }
        }
    }

    /// Cameras that are plugged in and out (`inotify`).
    public func changes() async -> AsyncStream<DeviceChange>? {
        HotPlug.changes(directory) { [open] in open.paths }
    }
}

/// The cameras that this process has open, each once.
private final class OpenCameras: Sendable {
    private let state = Mutex<Set<String>>([])

    var paths: Set<String> { state.withLock { $0 } }

    func insert(_ path: String, _ id: String) throws(CaptureError) {
        guard state.withLock({ $0.insert(path).inserted }) else {
            throw CaptureError(.busy, "The camera '\(id)' is already open")
        }
    }

    func remove(_ path: String) { state.withLock { _ = $0.remove(path) } }
}
