import CaptureHost
import CaptureKit
import ContractSupport
import FileImportBackend
import Testing

@Suite struct ContractTests {
    @Test(
        "The backend follows the capture protocol, in-process and as a program",
        arguments: ContractCheck.allCases, BackendForm.allCases)
    func contract(check: ContractCheck, form: BackendForm) async throws {
        let scratch = try Scratch()
        let fixture = TIFFFixture(
            (1...4).map { number in
                .init(width: 64, height: 64, pixels: .init(repeating: UInt8(number), count: 4_096))
            })
        let path = try scratch.file("pages.tif", fixture.bytes)
        try await BackendContract(
            backend: "file", device: path, value: FileImportBackend(), isListed: false,
            unknownDevice: scratch.path + "/none.tif"
        ).run(check, form)
    }

    @Test(
        "Pages, originals and reports arrive at the host exactly as decoded",
        arguments: BackendForm.allCases)
    func street(form: BackendForm) async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 71)
        let jpeg = try makeJPEG(
            width: 300, height: 200, gray: true, pixels: noise.bytes(300 * 200))
        try scratch.file("in/1.jpg", jpeg)
        try scratch.file("in/2.png", Array("not a picture".utf8))
        let spool = SpoolFolder(path: try scratch.folder("spool"))
        var configuration = HostConfiguration.standard()
        configuration.stateFile = scratch.path + "/devices.json"
        let host = CaptureHost(
            configuration, inProcess: form == .inProcess ? ["file": FileImportBackend()] : [:])
        let device = try await host.open(
            ListedDevice(
                backend: "file",
                descriptor: DeviceDescriptor(id: scratch.path + "/in", name: "in", kind: .files)))
        var pages: [CapturedPage] = []
        var skipped: [CaptureEvent] = []
        for try await event in device.capture(CaptureRequest(), spool: spool) {
            switch event {
            case .page(let page): pages.append(page)
            case .skipped: skipped.append(event)
            default: continue
            }
        }
        await device.close()
        await host.shutdown()
        #expect(skipped.count == 1)
        let page = try #require(pages.first)
        #expect(pages.count == 1)
        #expect(page.description.label == "1.jpg")
        let mapped = try page.mapPixels()
        defer { mapped.release() }
        let expected = try decodedJPEG(jpeg, width: 300, height: 200, gray: true)
        #expect(mismatch(Array(mapped.bytes), expected) == nil)
        let original = try #require(page.original)
        #expect(mismatch(try Scratch.read(original.path), jpeg) == nil)
    }
}
