import type * as openid from 'openid-client';
import { isLeftOut, readClaim } from '../../../../canonical/json/read-claim.ts';
import type { OidcConfig } from '../../../../config/admin-config.ts';
import type { Clock, Fetch } from '../../../../contracts/services.ts';
import { GatewayError } from '../../../../errors/gateway-error.ts';
import { readGroups } from './many-groups.ts';

/** What a sign-in that has begun must match when the browser returns. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE: only the browser that began the sign-in can redeem the code. */
  readonly verifier: string;
  readonly redirectUri: string;
}

export type Claims = Readonly<Record<string, unknown>>;

export interface SignedIn {
  /** What the provider says about the person; each claim is checked for this gateway and this sign-in. */
  readonly claims: Claims;
  /** Absent: the provider sends none with a refresh. */
  readonly idToken?: string | undefined;
  /** With which the claims can be read again, if the provider gives one. */
  readonly refreshToken?: string | undefined;
}

/** The provider that knows the people. The methods reject with the errors of openid-client. */
export interface IdentityProvider {
  /** @returns the address at the provider to which the browser is sent */
  begin(redirectUri: string): Promise<{ readonly address: URL; readonly pending: PendingSignIn }>;
  /**
   * Redeems the code with which the browser returns.
   * @param address the address to which it returned
   */
  finish(address: URL, pending: PendingSignIn): Promise<SignedIn>;
  /**
   * Reads the claims of a person again.
   * @param subject of the person who has signed in
   */
  refresh(refreshToken: string, subject: string): Promise<SignedIn>;
  /**
   * @param returnUri where the browser goes after the sign-out
   * @returns the address at the provider that ends the session there; undefined if the provider has none
   */
  end(idToken: string, returnUri: string): Promise<URL | undefined>;
  /** @returns the address of the provider's public keys, if it states one */
  findKeys(): Promise<string | undefined>;
}

const TIMEOUT_MS = 10_000;
/** The provider can move its endpoints. */
const DISCOVERY_MS = 3_600_000;

/** Requests to the provider follow the rules for all services that the operator configures. */
const toWebFetch =
  (fetch: Fetch): openid.CustomFetch =>
  async (url, { method, headers, body }) => {
    const form = body === null || body === undefined ? {} : { body: String(body) };
    const { status, body: bytes } = await fetch(url, {
      method: method as 'GET' | 'POST',
      headers,
      timeoutMs: TIMEOUT_MS,
      ...form,
    });
    return new Response(new Uint8Array(bytes), { status, headers: { 'content-type': 'application/json' } });
  };

/** By basic authentication, which every provider must have, unless it lists only others. */
const authenticate =
  ({ ClientSecretBasic, ClientSecretPost, None }: typeof openid, secret: string | undefined): openid.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const way =
      secret === undefined
        ? None()
        : methods.includes('client_secret_basic')
          ? ClientSecretBasic(secret)
          : ClientSecretPost(secret);
    return way(server, client, body, headers);
  };

/** Discovers the provider with the first sign-in: the gateway starts without it. */
export class OpenIdProvider implements IdentityProvider {
  readonly #config: OidcConfig;
  readonly #fetch: Fetch;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #discovered: { readonly at: number; readonly settings: Promise<openid.Configuration> } | undefined;

  constructor(config: OidcConfig, fetch: Fetch, clock: Pick<Clock, 'monotonic'>) {
    this.#config = config;
    this.#fetch = fetch;
    this.#clock = clock;
  }

  async begin(redirectUri: string): ReturnType<IdentityProvider['begin']> {
    const settings = await this.#open();
    const client = await import('openid-client');
    const verifier = client.randomPKCECodeVerifier();
    const pending = { state: client.randomState(), nonce: client.randomNonce(), verifier, redirectUri };
    const address = client.buildAuthorizationUrl(settings, {
      redirect_uri: redirectUri,
      scope: this.#config.scopes.join(' '),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: pending.state,
      nonce: pending.nonce,
    });
    return { address, pending };
  }

  async finish(address: URL, { state, nonce, verifier }: PendingSignIn): Promise<SignedIn> {
    const settings = await this.#open();
    const client = await import('openid-client');
    const tokens = await client.authorizationCodeGrant(settings, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    });
    const claims = tokens.claims();
    const { id_token: idToken } = tokens;
    if (claims === undefined || idToken === undefined) throw new Error('The provider sent no id token.');
    return { claims: await this.#complete(settings, tokens, claims), idToken, refreshToken: tokens.refresh_token };
  }

  async refresh(refreshToken: string, subject: string): Promise<SignedIn> {
    const settings = await this.#open();
    const client = await import('openid-client');
    const tokens = await client.refreshTokenGrant(settings, refreshToken);
    const claims = tokens.claims() ?? { sub: subject };
    if (claims.sub !== subject)
      throw new GatewayError('permission_denied', 'The provider has refreshed the session of another person.');
    return {
      claims: await this.#complete(settings, tokens, claims),
      idToken: tokens.id_token,
      refreshToken: tokens.refresh_token,
    };
  }

  /** Adds the claims of the userinfo endpoint, if one that counts is not in the id token, and groups by link. */
  async #complete(
    settings: openid.Configuration,
    { access_token: accessToken }: openid.TokenEndpointResponse,
    claims: openid.IDToken | { readonly sub: string },
  ): Promise<Claims> {
    const { nameClaim, rolesClaim, groupsUrl } = this.#config;
    if (isLeftOut(claims, rolesClaim))
      return { ...claims, [rolesClaim]: await readGroups(groupsUrl, accessToken, this.#fetch) };
    const needed = [nameClaim, rolesClaim, ...(nameClaim === 'email' ? ['email_verified'] : [])];
    const isComplete = needed.every((name) => readClaim(claims, name) !== undefined);
    if (isComplete || settings.serverMetadata().userinfo_endpoint === undefined) return claims;
    const { fetchUserInfo } = await import('openid-client');
    return { ...(await fetchUserInfo(settings, accessToken, claims.sub)), ...claims };
  }

  async end(idToken: string, returnUri: string): Promise<URL | undefined> {
    const settings = await this.#open();
    if (settings.serverMetadata().end_session_endpoint === undefined) return undefined;
    const { buildEndSessionUrl } = await import('openid-client');
    return buildEndSessionUrl(settings, { id_token_hint: idToken, post_logout_redirect_uri: returnUri });
  }

  async findKeys(): Promise<string | undefined> {
    return (await this.#open()).serverMetadata().jwks_uri;
  }

  #open(): Promise<openid.Configuration> {
    const now = this.#clock.monotonic();
    if (this.#discovered !== undefined && now - this.#discovered.at <= DISCOVERY_MS) return this.#discovered.settings;
    const settings = this.#discover();
    this.#discovered = { at: now, settings };
    settings.catch(() => (this.#discovered = undefined));
    return settings;
  }

  async #discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.#config;
    const client = await import('openid-client');
    const url = new URL(issuer);
    const settings = await client.discovery(url, clientId, undefined, authenticate(client, clientSecret), {
      [client.customFetch]: toWebFetch(this.#fetch),
      execute: url.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    });
    // Otherwise the signature of an id token that comes straight from the provider is not checked.
    client.enableNonRepudiationChecks(settings);
    return settings;
  }
}
