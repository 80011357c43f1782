import CaptureHost
import ContractSupport
import Testing

@Suite struct ContractTests {
    @Test(
        "A backend in Swift passes the contract tests, in this process and as a program",
        arguments: ContractCheck.allCases, BackendForm.allCases)
    func fake(_ check: ContractCheck, _ form: BackendForm) async throws {
        let folder = try TemporaryFolder()
        Bench.write(
            #"{"id":"fake","name":"Fake","protocol":1,"program":"copystand-backend-fake"}"#,
            to: folder.file("fake.json"))
        var configuration = HostConfiguration.standard()
        configuration.backendFolders = [folder.path]
        try await BackendContract(
            backend: "fake", device: "feeder", value: FakeBackend(), configuration: configuration
        ).run(check, form)
    }

    @Test("The example in Python passes the contract tests", arguments: ContractCheck.allCases)
    func python(_ check: ContractCheck) async throws {
        let folder = try TemporaryFolder()
        let configuration = HostConfiguration(
            backendFolders: [repositoryRoot + "/Examples"], stateFile: folder.file("devices.json"))
        try await BackendContract(
            backend: "stripes", device: "feeder", value: FakeBackend(), configuration: configuration
        ).run(check, .program)
    }
}

/// The package's root folder.
let repositoryRoot = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
