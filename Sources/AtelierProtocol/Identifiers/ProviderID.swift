/// Who makes the pictures.
public struct ProviderID: Identifier {
  public static let meaning = "Who makes the pictures: `ondevice`, `gemini` or `openai`; more may come."

  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// This machine, without network or key (REQUIREMENTS 3.1).
  public static let ondevice = ProviderID(rawValue: "ondevice")
  /// Google's image models (REQUIREMENTS 3.2).
  public static let gemini = ProviderID(rawValue: "gemini")
  /// OpenAI's Images API and servers compatible with it (REQUIREMENTS 3.3).
  public static let openai = ProviderID(rawValue: "openai")
}
