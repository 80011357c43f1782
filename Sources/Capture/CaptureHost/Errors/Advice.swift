/// The next step that usually fixes a failure of this kind.
func usualAdvice(_ code: HostError.Code, backend: String?) -> String? {
    let name = backend.map { "'\($0)'" } ?? "backend"
    return switch code.rawValue {
    case "noSuchDevice": "List the devices with: copystand devices"
    case "severalDevices": "Name one of them, or set one with: copystand device default NAME"
    case "defaultAbsent":
        "Switch it on or plug it in, name another device, or choose a new default with: copystand device default NAME"
    case "noSuchBackend": "See what is installed with: copystand backends"
    case "brokenBackend": "See what is installed with: copystand backends"
    case "newerProtocol": "Update Copystand, or install an older version of the \(name) backend"
    case "crashed":
        "Try again: the next request restarts it. If it happens again, report it to the maker of the \(name) backend, with the output of the command with -v"
    case "hung": "Check that the device is switched on and connected, then try again"
    case "nonsense": "Update the \(name) backend, or report it to its maker"
    case "tornPage": "Capture the page again"
    case "damagedData":
        "It is left out. Capture it again, or get a sound copy of the file"
    case "noSpace": "Free some disk space, then try again"
    case "spoolFailed": "Check that the spool folder exists and is writable"
    case "busy": "Close the program that uses the device, then try again"
    case "permissionDenied": "See what is missing with: copystand doctor"
    case "offline": "Switch the device on, check its cable or network, then try again"
    case "stalled": "Plug the camera in again, then try again"
    case "feederEmpty": "Put paper into the feeder, then try again"
    case "jammed": "Clear the jam, put the remaining pages back, then scan the rest"
    case "coverOpen": "Close the cover, then scan the rest"
    case "doubleFeed": "Separate the sheets, put them back, then scan the rest"
    case "outOfMemory":
        "Choose a lower resolution or a smaller area, or close other programs"
    case "noSuchOption", "invalidValue":
        "See what the device accepts with 'copystand options' and its name"
    case "tooLarge": "Choose a lower resolution or a smaller area"
    case "passwordNeeded": "Give the password with --password"
    case "inputOutput": "Check the device's connection and the disk, then try again"
    case "internalFault":
        "Report it to the maker of the \(name) backend, with the output of the command with -v"
    default: nil
    }
}
