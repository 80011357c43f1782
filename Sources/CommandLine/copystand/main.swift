import FileNames
import Glibc

FileNames.readEnvironment()
let code = await Program.run(Array(FileNames.arguments.dropFirst()))
// `exit` is not used: it lets libraries such as OpenSSL clear up while threads still close
// connections.
fflush(nil)
_exit(code)
