import FileNames
import Glibc

FileNames.readEnvironment()
let code = await Program.run(Array(FileNames.arguments.dropFirst()))
// Not `exit`: libraries clear up there, such as OpenSSL, while threads still close connections.
fflush(nil)
_exit(code)
