extension CloudSettings {
  /// Google's Gemini API as it is on 21 November 2026; models and addresses change, and are the operator's to set.
  ///
  /// `v1beta`, because `v1` refused fields of pictures in the past (GEMINI, engine default).
  public static let gemini = CloudSettings(
    baseURL: BaseURL(known: "https://generativelanguage.googleapis.com"), apiVersion: "v1beta",
    model: "gemini-nano-banana-2.1",
    furtherModels: ["gemini-3-pro-image", "gemini-3.1-flash-lite-image", "gemini-2.5-flash-image"])
}
