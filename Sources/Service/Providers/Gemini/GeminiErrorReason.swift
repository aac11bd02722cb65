import AtelierProtocol
import Localization

/// Why Google refuses a request, by the reason in the details of its error (`google.api.ErrorReason`). It means the same
/// whatever the status and the words beside it.
enum GeminiErrorReason {
  case invalidKey
  /// The key is restricted to other APIs.
  case keyOfOtherAPIs
  /// The key is restricted to other places, such as a website, an app or an address.
  case keyOfOtherPlaces
  /// The project of the key does not use the API at all.
  case apiDisabled
  case billing
  case accountRestricted
  case permissionDenied

  /// - Returns: nil for a reason whose meaning the status tells as well, and for an unknown one.
  init?(_ name: String) {
    switch name.uppercased() {
    case "API_KEY_INVALID": self = .invalidKey
    case "API_KEY_SERVICE_BLOCKED": self = .keyOfOtherAPIs
    case "API_KEY_HTTP_REFERRER_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED", "API_KEY_ANDROID_APP_BLOCKED",
      "API_KEY_IOS_APP_BLOCKED":
      self = .keyOfOtherPlaces
    case "SERVICE_DISABLED": self = .apiDisabled
    case "BILLING_DISABLED": self = .billing
    case "CONSUMER_SUSPENDED", "GCP_SUSPENDED", "ACCOUNT_STATE_INVALID", "USER_BLOCKED_BY_ADMIN":
      self = .accountRestricted
    case "CONSUMER_INVALID", "USER_PROJECT_DENIED", "SERVICE_NOT_VISIBLE", "ORG_RESTRICTION_VIOLATION",
      "SECURITY_POLICY_VIOLATED", "LOCATION_POLICY_VIOLATED", "RESOURCE_USAGE_RESTRICTION_VIOLATED":
      self = .permissionDenied
    default: return nil
    }
  }

  var kind: ErrorKind {
    switch self {
    case .invalidKey: .invalidApiKey
    case .billing: .providerUnavailable
    case .keyOfOtherAPIs, .keyOfOtherPlaces, .apiDisabled, .accountRestricted, .permissionDenied: .providerDenied
    }
  }

  /// For `details.reason`.
  var name: String {
    switch self {
    case .invalidKey: "api_key_invalid"
    case .keyOfOtherAPIs, .keyOfOtherPlaces: "api_key_restricted"
    case .apiDisabled: "api_disabled"
    case .billing: "billing"
    case .accountRestricted: GeminiFinishReason.accountRestricted.name
    case .permissionDenied: "permission_denied"
    }
  }

  /// What the person is told; nil for the sentence of the kind.
  var sentence: Sentence? {
    self == .billing ? "The provider's account has no billing set up: choose another provider." : nil
  }

  /// What the operator can do; nil for the hint of the kind.
  var hint: String? {
    switch self {
    case .invalidKey: nil
    case .keyOfOtherAPIs:
      "The API key is restricted to other APIs: allow it the Gemini API in the Google Cloud console, or use another key."
    case .keyOfOtherPlaces:
      "The API key is restricted to a website, an app or an address that is not this one: change its restrictions in the "
        + "Google Cloud console, or use another key."
    case .apiDisabled:
      "The Gemini API is not enabled in the Google Cloud project of the API key: enable it in the Google Cloud console, "
        + "and wait a few minutes."
    case .billing:
      "Google requires a billing account for the API key: link one in Google AI Studio."
    case .accountRestricted: GeminiFinishReason.accountRestricted.hint
    case .permissionDenied:
      "The API key may not be used for that: check its restrictions in Google AI Studio, or use another key."
    }
  }
}
