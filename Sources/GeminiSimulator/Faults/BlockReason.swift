/// Why a prompt was blocked, as the API spells it.
public enum BlockReason: String, Sendable, CaseIterable {
  case unspecified = "BLOCKED_REASON_UNSPECIFIED"
  case safety = "SAFETY"
  case other = "OTHER"
  case blocklist = "BLOCKLIST"
  case prohibitedContent = "PROHIBITED_CONTENT"
  case imageSafety = "IMAGE_SAFETY"
  case modelArmor = "MODEL_ARMOR"
  case jailbreak = "JAILBREAK"
  /// One that no client can know yet.
  case unknown = "SOMETHING_NEW"

  var summary: String { "200, promptFeedback.blockReason \(rawValue) and no candidates" }
}
