// What the host sends and takes. The protocol's own types come from the client for Node; only types, nothing is loaded.
export * from "../../node/src/values";
import type { Account, ErrorBodyData, GenerateParams, Progress, RegenerateParams } from "../../node/src/values";

/** `GET /session`: how the host runs, and whether this browser is admitted. */
export interface HostSession {
  mode: "personal" | "public";
  admitted: boolean;
  version: string;
  locales: string[];
  map: { tiles?: string; attribution?: string } | null;
  leaflet: boolean;
  account?: Account;
  terms?: { version: string; url: string };
  /** Whether people may begin without signing in; absent: they may. */
  guests?: boolean;
  signIn?: SignInWay[];
  payment?: boolean;
}

/** An issuer of OpenID Connect to sign in at, or a page that does it. */
export interface SignInWay {
  name: string;
  title: string;
  authorizeUrl?: string;
  clientId?: string;
  url?: string;
}

/** The `error` of an answer over HTTP: the protocol's error in one level. */
export interface HostError extends Partial<ErrorBodyData> {
  code: number;
  kind: string;
  message: string;
  retryable: boolean;
  path?: string;
}

/** What a screen is given. */
export interface ScreenContext {
  /** The path without the query, such as `/result/gen_1`. */
  path: string;
  /** What the pattern's `:id` matched; "" without one. */
  id: string;
  query: URLSearchParams;
  /** Aborted when the screen is left: give it to listeners and fetches. */
  signal: AbortSignal;
  session: HostSession;
}

export type Screen = (context: ScreenContext) => Element | Promise<Element>;

/** A request that was sent, or is about to be, and has no answer yet. */
export interface PendingRequest {
  path: "/generate" | "/regenerate";
  params: (Partial<GenerateParams> | Partial<RegenerateParams>) & { idempotencyKey: string };
  /** When it was sent first, in milliseconds as `Date.now()` has them. */
  at: number;
  /** The tag of the account that wants it. */
  account?: string;
}

export type ProgressEvent = Omit<Progress, "requestId">;
