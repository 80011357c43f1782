import CommandLine
import FoundationEssentials

/// `copystand sign-certificate`: signs the certificate of `serve`, in a process that decodes
/// nothing.
enum SignCertificateCommand {
    private static let names = Argument(
        "NAME", .oneOrMore, .name, help: "A name or numeric address of the host.")
    private static let given = Option(
        "given", value: "NAME", .name, help: "One that the authority must be able to sign.",
        isRepeated: true)

    static let command = Command(
        name: "sign-certificate", summary: "Sign the certificate of 'serve --tls'",
        arguments: [names], options: [given], isHidden: true,
        handler: handler { arguments, console in
            let own = try OwnCertificate(environment: ProcessInfo.processInfo.environment)
            try own.sign(
                names: arguments.texts(names), given: arguments.texts(given),
                tell: { console.warn($0) })
            return .done
        })
}
