import CaptureHost
import CaptureKit
import ContractSupport
import Glibc
import Testing

@testable import V4L2Backend

/// Tests the list of cameras and their names.
@Suite struct DirectoryTests {
    private static let clip = ["GREY-8x6@30.bin": Clips.raw(48) { $1 }]

    private static func camera(_ more: [String: String]) -> [String: [UInt8]] {
        clip.merging(more.mapValues { Array($0.utf8) }) { $1 }
    }

    @Test(
        "Nodes without pictures are left out, and two nodes at one place are distinguished",
        .needsCamera)
    func list() async throws {
        let double = try CameraDouble([
            Self.camera(["card": "HD Pro Webcam C920", "bus": "usb-0000:00:14.0-1"]),
            Self.camera(["kind": "metadata", "bus": "usb-0000:00:14.0-1"]),
            Self.camera(["kind": "output"]),
            Self.camera(["card": "Other: Other", "bus": "usb-0000:00:14.0-1"]),
        ])
        let devices = try await V4L2Backend(folder: double.nodes).devices(DeviceQuery())
        #expect(devices.map(\.id) == ["usb-0000:00:14.0-1", "usb-0000:00:14.0-1-2"])
        #expect(devices.map(\.name) == ["HD Pro Webcam C920", "Other"])
        #expect(devices.allSatisfy { $0.kind == .camera && $0.state == .ready })
        #expect(devices.first?.connection == "USB")
        #expect(devices.first?.path == double.node())
        #expect(devices.first?.format == "GREY 8x6 at 30 a second")
        #expect(devices.first?.controls.contains("exposure") == true)
        #expect(devices.first?.controls.contains("exposure-auto") == false)
    }

    @Test(
        "A camera's id is its name from udev, and is the same at another node",
        .needsCamera)
    func lastingName() async throws {
        let double = try CameraDouble([Self.camera([:]), Self.camera([:])])
        let folder = try TemporaryFolder()
        let name = "usb-046d_HD_Pro_Webcam_C920_8A5C7E2F-video-index0"
        mkdir(folder.file("v4l"), 0o700)
        mkdir(folder.file("v4l/by-id"), 0o700)
        mkdir(folder.file("v4l/by-path"), 0o700)
        for (number, node) in [(0, "video4"), (1, "video7")] {
            symlink(double.node(number), folder.file(node))
        }
        symlink("../../video4", folder.file("v4l/by-id/" + name))
        symlink(
            "../../video4", folder.file("v4l/by-path/pci-0000:00:14.0-usb-0:1:1.0-video-index0"))
        symlink(
            "../../video7", folder.file("v4l/by-path/pci-0000:00:14.0-usb-0:2:1.0-video-index0"))
        let backend = V4L2Backend(folder: folder.path)
        let devices = try await backend.devices(DeviceQuery())
        #expect(
            devices.map(\.id) == [name, "pci-0000:00:14.0-usb-0:2:1.0-video-index0"])
        let camera = try await backend.open(name)
        #expect(camera.descriptor?.id == name)
        await camera.close()
        // At another port, the same camera has another node and the same name.
        unlink(folder.file("v4l/by-id/" + name))
        unlink(folder.file("v4l/by-path/pci-0000:00:14.0-usb-0:1:1.0-video-index0"))
        rename(folder.file("video4"), folder.file("video9"))
        symlink("../../video9", folder.file("v4l/by-id/" + name))
        let moved = try await backend.devices(DeviceQuery())
        #expect(moved.map(\.id).contains(name))
        await (try backend.open(name)).close()
    }

    @Test("A node that is no camera is refused by name")
    func noCamera() async throws {
        let folder = try TemporaryFolder()
        try CameraDouble.write([1], to: folder.file("video0"))
        let backend = V4L2Backend(folder: folder.path)
        #expect(try await backend.devices(DeviceQuery()).isEmpty)
        for (id, code) in [
            (folder.file("video0"), CaptureError.Code.unsupported),
            (folder.file("video1"), .noSuchDevice), ("usb-nothing", .noSuchDevice),
            ("", .noSuchDevice), ("/dev/null", .unsupported),
        ] {
            let error = await #expect(throws: CaptureError.self) { _ = try await backend.open(id) }
            #expect(error?.code == code, "\(id)")
            #expect(error?.message.contains(id) == true)
        }
    }

    @Test("A camera can be open only once, and is not listed as busy", .needsCamera)
    func once() async throws {
        let double = try CameraDouble([Self.clip])
        let backend = V4L2Backend(folder: double.nodes)
        let camera = try await backend.open(double.node())
        await #expect { _ = try await backend.open("usb-test-0") } throws: {
            ($0 as? CaptureError)?.code == .busy
        }
        #expect(try await backend.devices(DeviceQuery()).map(\.state) == [.ready])
        await camera.close()
        await (try backend.open("usb-test-0")).close()
    }

    @Test("Cameras that come and go are reported", .needsCamera)
    func hotPlug() async throws {
        let double = try CameraDouble([Self.clip])
        let folder = try TemporaryFolder()
        let backend = V4L2Backend(folder: folder.path)
        let changes = try #require(await backend.changes())
        var iterator = changes.makeAsyncIterator()
        // The watch starts on a separate thread, so the first camera is plugged in repeatedly until
        // it is noticed.
        let plugging = Task {
            while !Task.isCancelled {
                symlink(double.node(), folder.file("video3"))
                try await Task.sleep(for: .seconds(1))
                unlink(folder.file("video3"))
                try await Task.sleep(for: .seconds(1))
            }
        }
        var seen: [DeviceChange] = []
        while seen.count < 2, let change = await iterator.next() { seen.append(change) }
        plugging.cancel()
        let ids = seen.map { change in
            switch change {
            case .added(let device): "+" + device.id
            case .changed(let device): "~" + device.id
            case .removed(let id): "-" + id
            }
        }
        #expect(Set(ids) == ["+usb-test-0", "-usb-test-0"])
    }

    @Test(
        "A node that the user may not open is listed with advice",
        .enabled(if: geteuid() == 0, "only root may act as another user"))
    func permission() async throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        // Root may open everything, so the program runs as the user `nobody`.
        let program =
            (HostConfiguration.standard().programFolder ?? ".") + "/copystand-backend-v4l2"
        _ = try run("cp '\(program)' '\(folder.file("camera"))'")
        let script = """
            import json, os, socket, sys
            host, theirs = socket.socketpair()
            if os.fork() == 0:
                os.dup2(theirs.fileno(), 3)
                os.environ["COPYSTAND_CAMERA_FOLDER"] = sys.argv[2]
                os.setgroups([]); os.setgid(65534); os.setuid(65534)
                os.execv(sys.argv[1], sys.argv[1:2])
            theirs.close()
            lines = host.makefile("rw")
            for number, verb in ((1, "hello"), (2, "devices")):
                print(json.dumps({"request": number, "verb": verb, "protocol": 1, "host": "test", \
                "quick": False}), file=lines, flush=True)
                answer = json.loads(lines.readline())
            print([(d["state"], d["name"], d["advice"]) for d in answer["devices"]])
            """
        try CameraDouble.write(Array(script.utf8), to: folder.file("ask.py"))
        let nodes = try run(
            "mkdir '\(folder.path)/nodes' && touch '\(folder.path)/nodes/video0' && chmod 0660 '\(folder.path)/nodes/video0' && chgrp video '\(folder.path)/nodes/video0' && python3 '\(folder.file("ask.py"))' '\(folder.file("camera"))' '\(folder.path)/nodes' 2>&1"
        )
        #expect(nodes.output.contains("noPermission"), "\(nodes.output)")
        #expect(nodes.output.contains("usermod -aG video"), "\(nodes.output)")
    }
}
