import CaptureHost
import CaptureKit
import ContractSupport
import Testing
import V4L2Backend

/// Tests the camera without `/dev/fuse`, with Copystand's program and with `v4l2-ctl`.
@Suite struct PreloadTests {
    private let camera: PreloadedCamera
    private let state: TemporaryFolder

    init() throws {
        camera = try PreloadedCamera([
            "MJPG-64x48@60,30.bin": Clips.jpeg(64, 48), "YUYV-32x24@60.bin": Clips.yuyv(32, 24),
        ])
        state = try TemporaryFolder()
    }

    private func contract() throws -> BackendContract {
        BackendContract(
            backend: "v4l2", device: "usb-test-0", value: V4L2Backend(folder: state.path),
            configuration: try camera.configuration(state), pageLimit: 2
        ) { device in
            _ = try await device.set("warm-up", to: .number(0))
        }
    }

    @Test("The program passes the tests for every device", arguments: ContractCheck.allCases)
    func device(_ check: ContractCheck) async throws {
        try await contract().run(check, .program)
    }

    @Test("The program passes the contract tests for live devices", arguments: LiveCheck.allCases)
    func film(_ check: LiveCheck) async throws {
        try await contract().run(check, .program)
    }

    @Test("A camera unplugged during filming is offline, after its frames so far")
    func unplugged() async throws {
        let folder = try TemporaryFolder()
        var configuration = try camera.configuration(state)
        configuration.deadlines = .forTests
        let host = CaptureHost(configuration)
        let device = try await host.open(host.find("v4l2:usb-test-0"))
        var frames = 0
        do {
            for try await event in device.capture(
                CaptureRequest(mode: .live), spool: SpoolFolder(path: folder.path))
            {
                guard case .page = event else { continue }
                frames += 1
                if frames == 3 { try camera.begin("unplugged") }
            }
            Issue.record("the film ended well")
        } catch let error as HostError {
            #expect(error.code == HostError.Code(.offline))
        }
        #expect(frames >= 3)
        await host.shutdown()
    }

    @Test("v4l2-ctl lists the formats and controls, streams, and switches inputs")
    func controlProgram() throws {
        let command = "\(camera.environment) v4l2-ctl -d '\(camera.node)'"
        let formats = try run("\(command) --list-formats-ext 2>&1")
        #expect(formats.status == 0, "\(formats.output)")
        for text in ["'MJPG'", "'YUYV'", "Discrete 64x48", "Discrete 32x24", "60.000 fps"] {
            #expect(formats.output.contains(text), "\(formats.output)")
        }
        let controls = try run("\(command) --list-ctrls-menus 2>&1")
        for text in [
            "brightness", "exposure_time_absolute", "Aperture Priority Mode", "flags=inactive",
        ] {
            #expect(controls.output.contains(text), "\(controls.output)")
        }
        let result = state.file("film")
        let film = try run(
            "\(command) --set-fmt-video width=32,height=24,pixelformat=YUYV --stream-mmap --stream-count 3 --stream-to='\(result)' 2>&1"
        )
        #expect(film.status == 0, "\(film.output)")
        let bytes = try #require(CameraDouble.read(result))
        #expect(bytes.count == 3 * 32 * 24 * 2)
        #expect(bytes.enumerated().allSatisfy { $0.offset % 2 == 0 || $0.element == 128 })
    }
}
