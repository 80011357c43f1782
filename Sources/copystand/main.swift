import Glibc
import Recognition

// First of all: a helper process is started for every engine and must not pay for anything else.
if Swift.CommandLine.arguments.dropFirst().first == "recogniser-helper" {
    RecogniserHelper.run()
}
exit(await Program.run(Array(Swift.CommandLine.arguments.dropFirst())))
