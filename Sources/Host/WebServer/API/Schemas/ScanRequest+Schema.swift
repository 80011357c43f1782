import FileNames
import JobOptions
import Listings
import LiveCapture
import ScanService

extension ScanRequest.Watch {
    /// The schema of the JSON.
    static let schema = Schema.read(
        by: Self.self,
        [
            CodingKeys.idle: .range(1...86_400),
            .stills: .choices(LiveOptions.Stills.allCases.map(\.rawValue)),
        ])
}

extension ScanRequest {
    /// The schema of the JSON, with the options of a job.
    static var schema: Schema {
        let options = JobOptions.inRequests
        let details: [CodingKeys: Schema.Detail] = [
            .device: .description("The device's id or alias; the default one unless given"),
            .profile: .description("document unless given"), .sinks: .notEmpty,
            .uploads: .notEmpty, .pdf: .nullable,
        ]
        let others = Schema.members(readBy: Self.self, details).filter { member in
            !options.contains { $0.name == member.name }
        }
        return .object(others + options.map { ($0.name, Schema($0.kind)) }, required: [])
    }

    /// Uploads are scanned without a device, and a watch requests each page in its own way.
    static var described: Schema {
        .limited(
            schema,
            [
                "not": [
                    "anyOf": [
                        ["required": ["uploads", "device"]], ["required": ["uploads", "watch"]],
                        ["required": ["uploads", "asksForMore"]],
                        ["required": ["watch", "asksForMore"]],
                    ]
                ]
            ])
    }
}

extension Schema {
    /// The schema of an option of a job.
    init(_ kind: JobOptionKind) {
        self =
            switch kind {
            case .flag: .boolean
            case .whole(let range):
                .integer(minimum: range.lowerBound, maximum: range.upperBound)
            case .seconds(let range): .number(from: range.lowerBound, to: range.upperBound)
            case .choice(let words): .string(choices: words)
            case .text: .string()
            case .texts: .array(.string())
            }
    }
}
