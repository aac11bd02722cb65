/// `provider/changed`: a provider became available or ceased to be.
public struct ProviderChanged: NotificationMessage {
  public static let method = "provider/changed"

  public var id: ProviderID
  public var available: Bool
  /// Until when the provider asked not to be asked.
  public var cooldownUntil: Timestamp?

  public init(id: ProviderID, available: Bool, cooldownUntil: Timestamp? = nil) {
    self.id = id
    self.available = available
    self.cooldownUntil = cooldownUntil
  }
}

extension ProviderChanged: SchemaDescribed {
  public static let summary = "A provider became available or ceased to be."

  public static let members = [
    "cooldownUntil": "Until when the provider asked not to be asked."
  ]
}
