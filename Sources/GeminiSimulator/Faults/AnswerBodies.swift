import Encodings
import JSON

extension AnswerFault {
  /// The answer of a fault that breaks the whole body; nil for the others.
  /// - Parameter good: what would have been answered.
  func brokenBody(_ good: JSONValue) -> HTTPAnswer? {
    switch self {
    case .html:
      return .html(
        status: 200,
        "<!DOCTYPE html>\n<html><head><title>Sign in to the network</title></head><body>Welcome.</body></html>\n")
    case .notJSON: return HTTPAnswer("application/json", Array("OK\n".utf8))
    case .truncatedJSON:
      var answer = HTTPAnswer.google(good)
      answer.body = .whole(Array(answer.wholeBody.prefix(answer.wholeBody.count / 2)))
      return answer
    case .emptyBody: return HTTPAnswer("application/json")
    case .array: return .google([good])
    case .deepJSON: return HTTPAnswer("application/json", Array((String(repeating: "[", count: 100_000)
      + String(repeating: "]", count: 100_000)).utf8))
    case .wrongTypes: return .google(["candidates": 7, "usageMetadata": "none", "modelVersion": ["x"]])
    default: return nil
    }
  }
}

/// A picture as an answer carries it, broken or in another form as a fault demands.
struct EncodedPicture {
  var picture: Picture
  /// What the request wants, unless the fault says otherwise.
  var format = ImageFormat.png
  var fault: AnswerFault?
  /// How long the file of a PNG is to be; nil for a small one.
  var byteCount: Int?

  /// As the answer calls the picture.
  var mimeType: String {
    switch fault {
    case .jpeg, .saysJPEGIsPNG, .truncatedJPEG: "image/jpeg"
    case .webp: "image/webp"
    default: "image/png"
    }
  }

  var bytes: [UInt8] {
    switch fault {
    case .jpeg, .saysPNGIsJPEG: picture.jpeg()
    case .truncatedJPEG: picture.jpeg().dropLast(12)
    case .webp, .saysPNGIsWebP: picture.webp()
    case .truncatedPicture: good.dropLast(30)
    case .notAnImage: Array("This is no picture.".utf8)
    case .emptyImage: []
    case .enormousHeader: picture.png(claiming: PictureSize(width: 60000, height: 60000))
    default: good
    }
  }

  private var good: [UInt8] {
    switch format {
    case .jpeg: picture.jpeg()
    case .webp: picture.webp()
    default: picture.png(bytes: byteCount)
    }
  }

  /// The bytes in base64, which may be broken as well.
  func encoded(_ bytes: [UInt8]) -> String {
    let text = fault == .urlSafeBase64 ? Base64URL.encoded(bytes) : Base64.encoded(bytes)
    return switch fault {
    // One letter past a whole group is no byte.
    case .truncatedBase64: String(text.prefix(text.utf8.count / 8 * 4 + 1))
    case .invalidBase64: text.prefix(40) + "!*#" + text.dropFirst(43)
    case .unpaddedBase64: String(text.prefix { $0 != "=" })
    default: text
    }
  }
}
