import CaptureHost
import ContractSupport
import Glibc

/// The served camera's model without a server: programs are started with a library that replaces
/// the driver.
///
/// It needs neither `/dev/fuse` nor root, and works for programs that need a character device, but
/// not in this process.
final class PreloadedCamera: Sendable {
    private let folder: TemporaryFolder
    /// The camera's path.
    var node: String { folder.file("nodes/video0") }

    /// Makes a single camera with clips by file name, and builds the library.
    init(_ files: [String: [UInt8]]) throws {
        folder = try TemporaryFolder()
        for name in ["cameras", "cameras/video0", "nodes"] { mkdir(folder.file(name), 0o700) }
        for (name, bytes) in files {
            try CameraDouble.write(bytes, to: folder.file("cameras/video0/\(name)"))
        }
        // Listing the folder must find a file at the camera's path.
        try CameraDouble.write([], to: node)
        let tests = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let build = try run(
            """
            cc -shared -fPIC -U_FORTIFY_SOURCE -o '\(folder.file("preload.so"))' \
            -I'\(tests)/CameraModel/include' \
            '\(tests)/PreloadCamera/preload.c' '\(tests)'/CameraModel/*.c -ldl 2>&1
            """)
        guard build.status == 0 else {
            throw ContractViolation("the library can't be built: \(build.output)")
        }
    }

    /// The environment of a command that uses the camera.
    var environment: String {
        "CAMERA_FOLDER='\(folder.file("cameras"))' CAMERA_NODES='\(folder.file("nodes"))' LD_PRELOAD='\(folder.file("preload.so"))'"
    }

    /// A configuration in which `v4l2` is the built program, which sees this camera; its state is
    /// in `state`.
    func configuration(_ state: TemporaryFolder) throws -> HostConfiguration {
        try CameraDouble.configuration(
            state, "COPYSTAND_CAMERA_FOLDER='\(folder.file("nodes"))' \(environment)")
    }

    /// Causes a fault of the camera, such as `unplugged`.
    func begin(_ fault: String) throws {
        try CameraDouble.write([], to: folder.file("cameras/video0/\(fault)"))
    }
}
