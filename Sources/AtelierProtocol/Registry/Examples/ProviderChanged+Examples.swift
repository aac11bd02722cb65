extension ProviderChanged {
  public static let title = "A provider came or went"
  public static let example = ProviderChanged(id: .ondevice, available: true)
}
