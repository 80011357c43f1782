import CaptureHost
import ContractSupport
import Testing

@Suite struct ContractTests {
    @Test("a backend in this process keeps the contract", arguments: ContractCheck.allCases)
    func fake(_ check: ContractCheck) async throws {
        try await BackendContract(backend: "fake", device: "feeder", value: FakeBackend())
            .run(check, .inProcess)
    }

    @Test("the example in Python keeps the contract", arguments: ContractCheck.allCases)
    func python(_ check: ContractCheck) async throws {
        let folder = try TemporaryFolder()
        var configuration = HostConfiguration(
            backendFolders: [repositoryRoot + "/Examples"], stateFile: folder.file("devices.json"))
        configuration.deadlines.hello = .seconds(60)
        try await BackendContract(
            backend: "stripes", device: "feeder", value: FakeBackend(), configuration: configuration
        ).run(check, .program)
    }
}

/// The package's root folder.
let repositoryRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
