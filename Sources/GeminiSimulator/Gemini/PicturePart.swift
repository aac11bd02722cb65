import JSONRPC

/// The part of an answer that is a picture.
struct PicturePart {
  var maker: GeminiReplyMaker
  /// Which picture of the answer.
  var index: Int

  private var fault: AnswerFault? {
    if case .answer(let fault)? = maker.step.fault { fault } else { nil }
  }

  var json: JSONValue {
    let bytes = self.bytes
    if fault == .fileData {
      let uri = "https://generativelanguage.googleapis.com/v1beta/files/simulated-\(maker.id)"
      return ["fileData": ["mimeType": "image/png", "fileUri": .string(uri)]]
    }
    var blob = JSONObject()
    if fault != .noMimeType { blob["mimeType"] = .string(mimeType) }
    blob["data"] = .string(encoded(bytes))
    var part: JSONObject = ["inlineData": .object(blob)]
    if fault == .onlyThoughtImage {
      part["thought"] = true
    } else if maker.request.model.needsSignatures, fault != .noSignatures {
      let signature = ThoughtSignature(ofImage: bytes).bytes(filler: fault == .hugeSignature ? 1 << 20 : 37)
      part["thoughtSignature"] = .string(Base64.encode(signature))
    }
    return .object(part)
  }

  private var mimeType: String {
    switch fault {
    case .jpeg, .saysJPEGIsPNG, .truncatedJPEG: "image/jpeg"
    case .webp: "image/webp"
    default: "image/png"
    }
  }

  private var bytes: [UInt8] {
    let picture = maker.picture(index: index)
    switch fault {
    case .jpeg, .saysPNGIsJPEG: return picture.jpeg()
    case .truncatedJPEG: return picture.jpeg().dropLast(12)
    case .webp, .saysPNGIsWebP: return picture.webp()
    case .truncatedPicture: return png(picture).dropLast(30)
    case .notAnImage: return Array("This is no picture.".utf8)
    case .emptyImage: return []
    case .enormousHeader: return picture.enormousPNG()
    default: return png(picture)
    }
  }

  private func png(_ picture: Picture) -> [UInt8] {
    (maker.step.imageBytes ?? maker.options.imageBytes).map { picture.png(bytes: $0) } ?? picture.png()
  }

  private func encoded(_ bytes: [UInt8]) -> String {
    let text = Base64.encode(bytes, urlSafe: fault == .urlSafeBase64)
    switch fault {
    // One letter past a whole group is no byte.
    case .truncatedBase64: return String(text.prefix(text.utf8.count / 8 * 4 + 1))
    case .invalidBase64: return String(text.prefix(40)) + "!*#" + String(text.dropFirst(43))
    case .unpaddedBase64: return String(text.prefix { $0 != "=" })
    default: return text
    }
  }
}
