import AtelierProtocol
import Encodings
import Imaging
import Localization

/// Why data received as an image cannot be shown.
enum PictureProblem: Error, Equatable {
  case notBase64
  case received(ReceivedPicture.Problem)

  /// For `details.reason`.
  var name: String {
    switch self {
    case .notBase64: "invalid_base64"
    case .received(.notAPicture): "not_a_picture"
    case .received(.unsupported): "unsupported_picture"
    case .received(.incomplete): "incomplete_picture"
    case .received(.tooLarge): "picture_too_large"
    }
  }

  var sentence: Sentence {
    switch self {
    case .notBase64, .received(.incomplete): "The provider's picture arrived incomplete. Please try again."
    case .received(.notAPicture), .received(.unsupported):
      "The provider sent something that is not a picture. Please try again later."
    case .received(.tooLarge): "The provider's picture is too large to be opened safely. Ask for a smaller one."
    }
  }

  /// Decodes and checks an image that was received as text.
  static func check(
    _ text: ReceivedBase64
  ) throws(PictureProblem) -> (picture: ReceivedPicture, decoded: Base64.Decoded) {
    guard let decoded = text.decoded() else { throw .notBase64 }
    do throws(ReceivedPicture.Problem) {
      return (try ReceivedPicture(decoded.bytes), decoded)
    } catch {
      throw .received(error)
    }
  }
}
