import BlockingWork
import Archive
import CommandLine
import Delivery
import FoundationEssentials

/// `copystand archive init`: makes an archive that many machines use.
enum ArchiveInit {
    private static let address = Argument(
        "ADDRESS", .one, .name,
        help: "The address of an existing PostgreSQL database, such as postgresql://db/scans.")
    private static let images = Option(
        "images", value: "PLACE", .name,
        help: "Where pictures are kept: a folder that all machines share, or s3://BUCKET/PREFIX.")

    static let command = Command(
        name: "init", summary: "Make an archive that many machines use, in a PostgreSQL database",
        discussion: """
            The database knows where pictures are, so each machine needs only its address. The \
            address must not contain a password: libpq takes it from ~/.pgpass.

            For a bucket, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set. If the bucket \
            is not at Amazon in us-east-1, set AWS_ENDPOINT_URL and AWS_REGION too. The archive \
            keeps these values, so other machines do not need them.
            """,
        examples: [
            Example(
                "Documents in a database, pictures in a shared folder",
                "copystand archive init postgresql://db/scans --images /mnt/scans")
        ],
        arguments: [address], options: [images],
        handler: handler { arguments, console in
            let place = arguments.text(address) ?? ""
            guard Archive.isShared(place) else {
                throw UsageError(
                    .invalidValue(place, expected: "an address such as postgresql://db/scans"),
                    argument: "ADDRESS", path: arguments.path)
            }
            guard let wanted = arguments.text(images) else {
                throw UsageError(.missingArgument, argument: "--images", path: arguments.path)
            }
            let environment = ProcessInfo.processInfo.environment
            var settings = ImageSettings(place: wanted)
            if wanted.hasPrefix("s3://") {
                settings.endpoint = environment["AWS_ENDPOINT_URL"] ?? "https://s3.amazonaws.com"
                settings.region = environment["AWS_REGION"] ?? "us-east-1"
                settings.key = environment["AWS_ACCESS_KEY_ID"]
                settings.secret = environment["AWS_SECRET_ACCESS_KEY"]
            }
            try await onOwnThread { [settings] in try Archive.makeShared(place, settings) }
            console.say(
                "The archive is made. Use it on each machine: copystand serve --archive \(place)")
            return .done
        })
}
