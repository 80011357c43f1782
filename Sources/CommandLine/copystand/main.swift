import FileNames
import Glibc

FileNames.readEnvironment()
let code = await Program.run(Array(FileNames.arguments.dropFirst()))
// `exit` is not used, because it lets libraries such as OpenSSL clean up while threads still close
// connections.
fflush(nil)
_exit(code)
