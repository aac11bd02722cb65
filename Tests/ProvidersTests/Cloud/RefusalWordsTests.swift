import Testing

@testable import Providers

@Suite("The words of a refusal")
struct RefusalWordsTests {
  @Test("the words of a refusal tell a limit of a day only where they name no shorter one", arguments: [
    ("Rate limit reached on requests per day (RPD): Limit 200", true), ("Your daily quota is used up", true),
    ("50 images / day", true), ("Per-day limit", true), ("GenerateRequestsPerDayPerProject", true),
    ("200 per day, try again in 7 minutes", true), ("200 requests per 24 hours", true),
    ("Limit 3 per minute. The daily limit is 200", false), ("per day 200, per sec. 5", false),
    ("5 per hour, 20 per day", false), ("requests (RPM) 3, (RPD) 200", false), ("3 / min, 200 / day", false),
    ("GenerateRequestsPerMinute, PerDay", false), ("per-minute and per-day limits", false),
    ("hourly limit, see the daily limit", false), ("Slow down today", false), ("", false),
  ])
  func day(text: String, isOfDay: Bool) {
    #expect(RefusalWords.sayLimitIsOfADay(text) == isOfDay)
  }

  @Test(
    "the words of a refusal tell a plan without quota only where the limit itself is 0, not what is left of it",
    arguments: [
    ("limit: 0", true), ("Limit 0, Used 0, Requested 1", true), ("limit = 0, remaining: 0", true),
    ("LIMIT: 0.000000 / min", true), ("limit: 0 requests per minute", true), ("limit 0; 5 tokens left", true),
    ("limit 10, limit: 0, model: x", true), ("limit 0 tokens left", false), ("limit: 0 requests remaining", false),
    ("token limit 0 of 50", false), ("limit 0/50", false), ("limit: 0 tokens are left", false),
    ("remaining limit: 0", false), ("remaining_limit=0", false), ("available limit 0", false),
    ("limit remaining: 0", false), ("limit 0.5", false), ("limit: 05", false), ("limit 0,500", false), ("limit: 100", false),
    ("limit", false), ("limit0", false), ("0 left of the limit 50", false), ("", false),
  ])
  func zero(text: String, isZero: Bool) {
    #expect(RefusalWords.sayLimitIsZero(text) == isZero)
  }

  @Test("the words of a refusal tell that an account is blocked, and not something that it uses", arguments: [
    ("Your account has been suspended", true), ("API error: the organization is disabled", true),
    ("Consumer 'api_key:x' has been suspended", true), ("Your access was terminated", true),
    ("The service account has been disabled", true), ("Your API key has been revoked", true),
    ("Access to this service is restricted", false), ("The API of your project is disabled", false),
    ("The endpoint of this account is blocked", false), ("Your account may have been suspended", false),
    ("Access from your country is blocked", false), ("Contact your account manager. This is blocked", false),
    ("The requested resource is blocked", false), ("", false), ("Access to your account has been suspended", true),
    ("Public access is disabled. Please configure private endpoint.", false),
    ("Key based authentication is disabled for this resource.", false),
    ("Access to dall-e-3 is restricted to verified organizations.", false),
  ])
  func account(text: String, isBlocked: Bool) {
    #expect(RefusalWords.sayAccountIsBlocked(text) == isBlocked)
  }

  @Test("the words of a refusal tell a blocked key apart from a blocked account")
  func key() {
    #expect(!RefusalWords.sayAccountIsBlocked("Your API key has been revoked", orKey: false))
    #expect(RefusalWords.sayAccountIsBlocked("The account of this key has been suspended", orKey: false))
  }
}
