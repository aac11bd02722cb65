// How does a person say who they are? At an issuer of OpenID Connect, which sends the browser back with a token in the
// fragment of the address: no server but ours sees it, and the service verifies it.
import { ask } from "./api.js";
import { recall, remember } from "./state.js";

/** @typedef {import("./types").SignInWay} SignInWay */
const KEY = "sign-in";

/**
 * Sends the browser to the issuer. What comes back must carry the same state, and the token the same nonce.
 * @param {SignInWay} way
 * @param {{ link?: boolean }} options `link`: the account that is used now is the same person's
 */
export function signIn(way, { link = false } = {}) {
  if (!way.authorizeUrl) return location.assign(way.url ?? "/");
  const nonce = crypto.randomUUID();
  const state = crypto.randomUUID();
  remember(KEY, { nonce, state, link, path: location.pathname });
  const address = new URL(way.authorizeUrl);
  const params = {
    response_type: "id_token", response_mode: "fragment", scope: "openid", client_id: way.clientId ?? "",
    redirect_uri: `${location.origin}/`, nonce, state,
  };
  for (const [name, value] of Object.entries(params)) address.searchParams.set(name, value);
  location.assign(address.href);
}

/**
 * Ends a sign-in that this tab has begun, if the fragment is its answer.
 * @param {string} fragment of the address, without `#`
 * @returns {Promise<string | null>} the path to go on at; null when there was nothing to end
 */
export async function finishSignIn(fragment) {
  const answer = new URLSearchParams(fragment);
  const begun = recall(KEY);
  const token = answer.get("id_token");
  // A token that this tab has not asked for is somebody else's.
  if (!begun || answer.get("state") !== begun.state) return null;
  remember(KEY, null);
  if (!token) return begun.path;
  await ask("POST", "/session/sign-in", { body: { identityToken: token, nonce: begun.nonce,
    ...(begun.link ? { link: true } : {}) } });
  return begun.path;
}
