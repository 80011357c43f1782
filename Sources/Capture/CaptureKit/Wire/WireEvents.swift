extension Wire {
    /// The capture and the frame that an event is about.
    package struct FrameReference: Codable, Hashable, Sendable {
        /// The number of the capture's request.
        package var capture: Int
        /// The frame's number within the capture, from 1.
        package var frame: Int
        package init(capture: Int, frame: Int) {
            self.capture = capture
            self.frame = frame
        }
    }

    /// The capture that an event is about.
    package struct CaptureReference: Codable, Hashable, Sendable {
        /// The number of the capture's request.
        package var capture: Int
    }

    /// `frame`: announces a frame.
    package struct Frame: Codable, Hashable, Sendable {
        package var capture: Int
        package var frame: Int
        package var format: FrameFormat
        package var width: Int
        package var height: Int?
        package var stride: Int?
        package var capacity: Int?
        package var resolution: Resolution?
        package var label: String?
        package var expected: Int?
        package var time: Double?
        package var problems: [String]?
        package var facts: PageFacts?
        package var source: FrameSource?
        package var metadata: FrameMetadata?

        package init(capture: Int, frame: Int, _ description: FrameDescription) {
            self.capture = capture
            self.frame = frame
            format = description.format
            width = description.width
            height = description.height
            stride = description.stride
            capacity = description.capacity
            resolution = description.resolution
            label = description.label
            expected = description.expected
            time = description.time
            problems = description.problems
            facts = description.facts
            source = description.source
            metadata = description.metadata
        }
    }

    /// `buffer`, from the host: where the frame's pixels go.
    package struct Buffer: Codable, Hashable, Sendable {
        package var capture: Int
        package var frame: Int
        /// The way of the pixels: `fd` with the descriptor alongside, `inline`, or `drop`.
        package var way: Way
        /// The present size of the buffer in bytes; a backend may enlarge it up to `most` for a
        /// frame of unknown height.
        package var size: Int?
        /// The maximum size of the frame in bytes.
        package var most: Int?
        /// The offset of row 0 in the file, for a backend that knows ``HelloAnswer/offsets``; 0
        /// when absent.
        package var offset: Int?

        /// How the pixels travel.
        package enum Way: String, Codable, Hashable, Sendable {
            case fd, inline, drop
        }

        package init(
            capture: Int, frame: Int, way: Way, size: Int? = nil, most: Int? = nil,
            offset: Int? = nil
        ) {
            self.capture = capture
            self.frame = frame
            self.way = way
            self.size = size
            self.most = most
            self.offset = offset
        }
    }

    /// `progress` and `done`: the number of rows so far.
    package struct Rows: Codable, Hashable, Sendable {
        package var capture: Int
        package var frame: Int
        /// Whole rows written so far.
        package var rows: Int
        /// The media type of the encoded original that follows `done` as raw bytes.
        package var mediaType: String?
        /// The size of an encoded frame in bytes, in `done`.
        package var length: Int?
    }

    /// `source`: a piece of a document whose pages come next; the bytes follow the message.
    package struct Source: Codable, Hashable, Sendable {
        package var capture: Int
        package var source: Int
        package var mediaType: String
        /// The size of the whole document in bytes.
        package var size: Int
    }

    /// `text`: some words of a page's own text.
    package struct Text: Codable, Hashable, Sendable {
        package var capture: Int
        package var frame: Int
        package var words: [FrameText.Word]
        /// True when the page may show more text than these words.
        package var partial: Bool?
    }

    /// `skipped`: a page could not be captured, but later pages can.
    package struct Skipped: Codable, Hashable, Sendable {
        package var capture: Int
        package var frame: Int
        package var label: String?
    }

    /// `reading`: the place that is read next.
    package struct Reading: Codable, Hashable, Sendable {
        package var capture: Int
        package var place: ReadingPlace
    }

    /// `deviceAdded` and `deviceChanged`.
    package struct DeviceAdded: Codable, Hashable, Sendable {
        package var device: DeviceDescriptor
    }

    /// `deviceRemoved`.
    package struct DeviceRemoved: Codable, Hashable, Sendable {
        package var id: String
    }

    /// `optionChanged`.
    package struct OptionChanged: Codable, Hashable, Sendable {
        package var handle: Int
        package var option: String
        /// The option's present value.
        package var value: OptionValue?
    }

    /// `log`.
    package struct Log: Codable, Hashable, Sendable {
        /// `debug`, `info`, `warning` or `error`.
        package var level: String?
        package var message: String
    }
}
