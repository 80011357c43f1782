import CaptureHost
import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Synchronization

// A host in a separate process, so that its descriptors and children can be counted. It captures
// from the backend `good`, proceeds with `bad` until a failure, captures from `good` again, and
// reports leftovers.
//
//     hostile-host-for-tests TRIAL.json

// Files that the parent process left open do not count.
for descriptor in folderNames("/proc/self/fd").compactMap({ Int32($0) }) where descriptor > 2 {
    close(descriptor)
}
let path = CommandLine.arguments.dropFirst().first ?? ""
let trial = try JSONDecoder().decode(
    HostileTrial.self, from: Data(contentsOf: URL(filePath: path)))
let log = Mutex<[String]>([])
var configuration = HostConfiguration(
    backendFolders: [trial.folder], stateFile: trial.folder + "/state/devices.json")
configuration.deadlines = .forTests
configuration.deadlines.exit = .seconds(1)
if let seconds = trial.deadline {
    let deadline = Duration.seconds(seconds)
    switch trial.verb {
    case "hello": configuration.deadlines.hello = deadline
    case "devices": configuration.deadlines.devices = deadline
    case "open": configuration.deadlines.open = deadline
    case "options", "set": configuration.deadlines.options = deadline
    case "capture": configuration.deadlines.progress = deadline
    case "cancel": configuration.deadlines.cancel = deadline
    default: configuration.deadlines.close = deadline
    }
}
configuration.log = { line in
    if line.backend == "bad", line.level == "error" { log.withLock { $0.append(line.text) } }
}
let host = CaptureHost(configuration)

func pages(
    of device: OpenDevice, _ request: CaptureRequest, in folder: String, from number: Int = 1,
    cancels: Bool = false, _ found: (Int) -> Void
) async throws {
    let spool = SpoolFolder(path: trial.folder + "/" + folder, firstNumber: number)
    for try await event in device.capture(request, spool: spool) {
        if case .page(let page) = event { found(page.number) }
        if case .began = event, cancels { Task { await device.cancelCapture() } }
    }
}

func captureGood(from number: Int) async throws -> Int {
    var count = 0
    let device = try await host.open(host.find("good:feeder"))
    try await pages(of: device, CaptureRequest(), in: "good", from: number) { _ in count += 1 }
    await device.close()
    return count
}

/// Proceeds with `bad` to the verb of the trial.
func provoke(_ found: (Int) -> Void) async throws {
    if ["hello", "devices"].contains(trial.verb) {
        if let problem = await host.listDevices(backend: "bad").problems.first { throw problem }
        return
    }
    let device = try await host.open(host.find("bad:d"))
    switch trial.verb {
    case "open": break
    case "options": _ = try await device.options()
    case "set": _ = try await device.setUnchecked("lamp", to: .bool(true))
    case "capture", "cancel":
        let request = CaptureRequest(mode: trial.isLive ? .live : .pages, limit: trial.limit)
        try await pages(
            of: device, request, in: "bad", cancels: trial.verb == "cancel", found)
    default: await device.close()
    }
}

/// The target of each open descriptor.
func descriptors() -> [String: String] {
    var result: [String: String] = [:]
    for name in folderNames("/proc/self/fd") {
        var target = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/" + name, &target, target.count)
        if count > 0 { result[name] = String(decoding: target.prefix(count), as: UTF8.self) }
    }
    return result
}

/// The processes of the trial except this one and `good`.
func strays() -> [String] {
    processes(with: trial.mark).filter {
        $0.id != getpid() && !$0.arguments.contains("copystand-backend-fake")
    }.map { "\($0.id): \($0.arguments)" }
}

// The first capture makes the runtime open the descriptors that it opens on first use.
_ = try await captureGood(from: 1)
let before = descriptors()
var error: HostError?
var numbers: [Int] = []
do {
    try await provoke { numbers.append($0) }
} catch let failure {
    error = failure as? HostError
}
let good = try await captureGood(from: 100)

/// Omits descriptors of timers and queues, which the runtime opens at any time, and of this folder
/// listing.
func isOurs(_ target: String) -> Bool {
    target.hasPrefix("anon_inode:") || target.hasPrefix("/proc/")
}

func descriptorsLeft() -> [String] {
    descriptors().filter { before[$0.key] != $0.value && !isOurs($0.value) }
        .map { "\($0.key): \($0.value)" }
}

// The system may need some time to end a killed process.
let patience = ContinuousClock.now + .seconds(30)
while !(descriptorsLeft().isEmpty && strays().isEmpty) && .now < patience {
    try await Task.sleep(for: .milliseconds(5))
}
let outcome = HostileOutcome(
    error: error, log: log.withLock { $0 }, pages: numbers, goodPages: good,
    descriptors: descriptorsLeft(), processes: strays())
await host.shutdown()
print(String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self))
