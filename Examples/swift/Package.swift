// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "netcam",
    dependencies: [
        // Copystand's sources: a folder as here, or
        // .package(url: "https://…/copystand.git", from: "0.2.0").
        .package(name: "copystand", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "netcam", dependencies: [.product(name: "CaptureKit", package: "copystand")])
    ]
)
