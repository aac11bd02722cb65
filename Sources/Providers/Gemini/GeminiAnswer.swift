import AtelierProtocol
import Credentials
import Imaging
import JSONRPC

/// What is taken from a good response: its first whole picture.
struct GeminiAnswer {
  var picture: ReceivedPicture
  /// Exactly as they came.
  var bytes: [UInt8]
  /// How many results there were.
  var pictureCount: Int
  var text: String?
  var turn: ModelTurn?
  var usage: GeminiUsage?
  var modelVersion: String?

  /// A model that talks on is cut short here.
  private static let maximumText = 8000

  /// - Parameter key: kept out of what an error tells.
  /// - Throws: `AtelierError` for every response that has no whole picture to show.
  init(_ response: GeminiResponse, hiding key: APIKey) throws(AtelierError) {
    let shown = response.candidates.filter { !$0.finishReason.isRefusal }
    pictureCount = shown.reduce(0) { $0 + $1.pictures.count }
    var problem: PictureProblem?
    for candidate in shown {
      for part in candidate.pictures {
        let isStrict: Bool
        do throws(PictureProblem) {
          let (picture, decoded) = try PictureProblem.check(part.data ?? ReceivedBase64(""))
          self.picture = picture
          bytes = decoded.bytes
          isStrict = decoded.isStrict
        } catch {
          problem = problem ?? error
          continue
        }
        let text = candidate.text
        self.text = text.isEmpty ? nil : String(text.prefix(Self.maximumText))
        turn = isStrict ? ModelTurn(candidate) : nil
        usage = response.usage
        modelVersion = response.modelVersion
        return
      }
    }
    throw GeminiRefusal(response, problem: problem).error(hiding: key)
  }

  /// - Parameter asked: what was asked of `model`.
  func image(asked: ImageRequest, model: GeminiModel, prices: PriceTable) -> ProviderImage {
    var usage = usage?.usage ?? Usage()
    usage.costUsd = prices.cost(
      model: priced(model.name, in: prices), tokens: self.usage?.tokens ?? TokenCounts(), images: pictureCount,
      size: asked.size.flatMap(model.size) ?? "1K")
    return ProviderImage(
      bytes: bytes, mimeType: picture.mimeType, width: picture.width, height: picture.height,
      model: modelVersion ?? model.name, usage: usage, warnings: warnings, text: text, turn: turn)
  }

  /// The name whose price applies. A release of the model that was asked, such as `…-001`, costs what the model does.
  private func priced(_ model: String, in prices: PriceTable) -> String {
    guard let modelVersion, prices.models[modelVersion] == nil, modelVersion.hasPrefix(model + "-") else {
      return modelVersion ?? model
    }
    let release = modelVersion.dropFirst(model.count + 1)
    return release.allSatisfy { $0.isNumber || $0 == "-" } ? model : modelVersion
  }

  private var warnings: [Warning] {
    if pictureCount <= 1 { return [] }
    let message = "The model returned \(pictureCount) pictures; the first one is kept."
    return [Warning(kind: "extra_images", message: message)]
  }
}

extension GeminiCandidate {
  /// The results among its parts, whole or not.
  var pictures: [GeminiPart] { parts.filter { !$0.isThought && $0.data != nil } }

  /// What it says beside them.
  var text: String {
    parts.filter { !$0.isThought }.compactMap(\.text).joined(separator: "\n").trimmed
  }
}

extension String {
  /// Without blanks and line breaks at both ends.
  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}
