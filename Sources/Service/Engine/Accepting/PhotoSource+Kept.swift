import AtelierProtocol
import JSON
import Store

extension PhotoSource {
  /// The current source of a picture that a generation works from: the original result or prepared photo, else the kept
  /// copy. A file is never read again, because its content may have changed.
  /// - Parameters:
  ///   - recorded: the source in the recorded request.
  ///   - reference: the index of the reference picture, from 0; nil for the photo.
  /// - Throws: `input_expired`, and what the store throws.
  func kept(_ recorded: JSONValue, of row: GenerationRow, reference: Int? = nil) async throws -> ImageSource {
    let original = try? JSONValueDecoder(unknownMembers: .ignore).decode(ImageSource.self, from: recorded)
    if let original, original.isOfTheStore, (try? await check(original, for: .ofStore(row.account))) != nil {
      return original
    }
    switch try await lazyStore.store().preparedInput(of: row.id, reference: reference) {
    case .found(let input): return .prepared(input.id)
    case .expired, .notFound:
      throw AtelierError(
        .inputExpired,
        reference == nil
          ? "The photo is no longer kept: choose it again." : "The reference picture is no longer kept: choose it again.",
        hint: "Send the request again with generate.", generationId: row.id)
    }
  }
}

extension PictureAccess {
  /// Access to what is kept for an account, and to no file.
  static func ofStore(_ account: AccountID) -> PictureAccess { PictureAccess(account: account, isConfined: true) }
}

extension ImageSource {
  fileprivate var isOfTheStore: Bool {
    switch self {
    case .generation, .prepared: true
    case .path, .data: false
    }
  }
}
