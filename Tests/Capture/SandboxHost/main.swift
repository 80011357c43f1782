import CPosix
import CaptureKit
import Dispatch
import Glibc
import Processes

// A host in a separate process, with a backend that attacks it from within its sandbox.
//
//     sandbox-host-for-tests ATTACKER FOLDER WHAT
//
// The host prints the attacker's lines, the attacker's end, and a line "changed: …" for each
// difference from before.

let arguments = CommandLine.arguments
guard arguments.count == 4 else { exit(2) }
let (attacker, folder, what) = (arguments[1], arguments[2], arguments[3])

guard let bystander = startBystander() else { exit(2) }
let given = OwnedDescriptor(open(folder + "/given", O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
ftruncate(given.raw, 4096)
let places = [
    (name: "the host", identity: getpid()), (name: "the bystander", identity: bystander),
]
let before = snapshot(places, folder)

let said = DispatchSemaphore(value: 0)
let (ours, theirs) = try OwnedDescriptor.socketPair()
let process = try ChildProcess(
    program: attacker,
    confinement: Confinement(
        memory: 512 << 20, openFiles: 256, isReadOnly: true, hasNetwork: false),
    socket: theirs
) { line in
    print(line)
    if line == "end" { said.signal() }
}
let order = "\(getpid()) \(bystander) \(folder)/victim \(folder) \(what)"
_ = cposix_send_descriptor(ours.raw, order, order.utf8.count, given.raw)
if what == "linger" {
    // From this line on, it ignores signals.
    said.wait()
} else if process.waitForEnd(.seconds(300)) == nil {
    print("changed: the backend did not end")
}
process.stop(patience: .zero)
print(process.end.map { "ended \($0)" } ?? "changed: the backend can't be ended")

for (name, value) in snapshot(places, folder) where before[name] != value {
    print("changed: \(name): \(before[name] ?? "nothing") became \(value)")
}
for name in folderNames("/proc") where pid_t(name) != nil && commandLine(name).hasPrefix(attacker) {
    print("changed: process \(name) is left over")
}
kill(bystander, SIGKILL)
