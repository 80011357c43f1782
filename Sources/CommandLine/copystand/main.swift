import FileNames
import Glibc

FileNames.readEnvironment()
exit(await Program.run(Array(FileNames.arguments.dropFirst())))
