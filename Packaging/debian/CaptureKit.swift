// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "CaptureKit",
    products: [.library(name: "CaptureKit", targets: ["CaptureKit"])],
    targets: [
        .target(name: "CPosix", path: "Sources/System/CPosix"),
        .target(name: "CFileNames", path: "Sources/System/CFileNames"),
        .target(
            name: "FileNames", dependencies: ["CFileNames"], path: "Sources/Basics/FileNames",
            swiftSettings: settings),
        .target(
            name: "Suggestions", path: "Sources/Basics/Suggestions", swiftSettings: settings),
        .target(
            name: "CaptureKit", dependencies: ["CPosix", "FileNames", "Suggestions"],
            path: "Sources/Capture/CaptureKit", swiftSettings: settings),
    ]
)
