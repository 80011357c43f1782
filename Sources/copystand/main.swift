import Glibc

exit(await Program.run(Array(Swift.CommandLine.arguments.dropFirst())))
