import ContractSupport
import Glibc
import Testing

/// Tests other programs with the served camera, to verify the camera independently of our code.
@Suite(.needsCamera) struct PeerTests {
    @Test("ffmpeg captures Motion JPEG and YUYV, and gets exactly the same frames")
    func ffmpeg() throws {
        let (jpeg, yuyv) = (Clips.jpeg(64, 48), Clips.yuyv(32, 24))
        let double = try CameraDouble([
            ["MJPG-64x48@30.bin": jpeg, "YUYV-32x24@30,15.bin": yuyv]
        ])
        let folder = try TemporaryFolder()
        for (format, form, size, clip, frame) in [
            ("mjpeg", "mjpeg", "64x48", jpeg, Clips.picture(64, 48, Clips.tone(0)).count),
            ("yuyv422", "rawvideo", "32x24", yuyv, 32 * 24 * 2),
        ] {
            let result = folder.file(format)
            let ending = try run(
                "ffmpeg -nostdin -v error -f v4l2 -input_format \(format) -video_size \(size) -i '\(double.node())' -frames:v 3 -c copy -f \(form) -y '\(result)' 2>&1"
            )
            #expect(ending.status == 0, "\(ending.output)")
            let bytes = try #require(CameraDouble.read(result))
            #expect(bytes.count == 3 * frame)
            // Three consecutive frames of the clip, beginning at any frame.
            let whole = clip + clip
            let starts = (0..<10).map { $0 * frame }
            #expect(starts.contains { whole[$0...].starts(with: bytes) }, "\(format)")
        }
    }
}
