import type { Context } from 'koa';
import { excerpt } from '../../../../canonical/text/redact.ts';
import type { OidcConfig, PersonalKeysConfig } from '../../../../config/admin-config.ts';
import type { AdminActor } from '../../../../contracts/admin.ts';
import type { Clock, Fetch, Log } from '../../../../contracts/services.ts';
import { GatewayError } from '../../../../errors/gateway-error.ts';
import type { RecordCall } from '../../audit/record-call.ts';
import { describeOutage } from '../../outage.ts';
import type { Directory } from '../../scim/directory.ts';
import { readOrigin, readOwnOrigin, readSession, writeSession } from '../cookie.ts';
import { goTo, showPage, writeContinuePage, writeProblemPage } from '../login-page.ts';
import type { Sessions } from '../sessions.ts';
import { readPerson } from './actor-of.ts';
import { endByProvider } from './back-channel.ts';
import { readFailure, readReasons } from './failure.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { LogoutTokens } from './logout-token.ts';
import { OpenIdProvider, type Claims, type IdentityProvider, type SignedIn } from './identity-provider.ts';
import { createPendingCookie, type PendingCookie } from './pending-cookie.ts';

/** Where the browser begins the sign-in, and where the provider sends it back to. */
export const BEGIN = '/admin/login/begin';
export const CALLBACK = '/admin/login/callback';

/** The sign-in at the identity provider. */
export interface OidcSignIn {
  readonly config: OidcConfig;
  /** Where people can make keys. */
  readonly projects: PersonalKeysConfig['projects'] | undefined;
  readonly provider: IdentityProvider;
  readonly pending: PendingCookie;
  readonly logoutTokens: LogoutTokens;
}

export const createOidcSignIn = (
  config: OidcConfig,
  projects: OidcSignIn['projects'],
  fetch: Fetch,
  clock: Pick<Clock, 'monotonic' | 'now'>,
): OidcSignIn => {
  const provider = new OpenIdProvider(config, fetch, clock);
  const keys = new IssuerKeys(() => provider.findKeys(), fetch, clock);
  const { issuer, clientId: audience } = config;
  const logoutTokens = new LogoutTokens({ issuer, audience }, keys, clock);
  return { config, projects, provider, pending: createPendingCookie(clock), logoutTokens };
};

/** The provider accepts only addresses that it knows, so a forged Host header leads nowhere. */
const redirectUriOf = (context: Context, { redirectUri }: OidcConfig): string => {
  if (redirectUri !== undefined) return redirectUri;
  const origin = readOwnOrigin(context);
  if (origin === undefined) throw new GatewayError('invalid_request', 'The Host header is not the name of a host.');
  return origin + CALLBACK;
};

/** Reads the role. @throws GatewayError with the values that the person can ask for */
export const readActor = async (
  claims: Claims,
  { config, projects }: Pick<OidcSignIn, 'config' | 'projects'>,
  directory: Directory | undefined,
): Promise<AdminActor> => {
  const groups = await directory?.admit(`${config.issuer} ${String(claims['sub'])}`, claims);
  const { role, ...person } = readPerson(claims, config, projects, groups);
  if (role !== undefined) return { ...person, role, ...(groups === undefined ? {} : { groups }) };
  throw new GatewayError(
    'permission_denied',
    `You are signed in as ${person.name}, but you have no role at this gateway. Ask for one of these values in your ` +
      `claim "${config.rolesClaim}": ${Object.keys(config.roles).join(', ')}. Or ask an operator to add one of your ` +
      'values to admin.oidc.roles of gateway.yaml.',
  );
};

const describeNoRefresh = (host: string): string =>
  `${host} gave no refresh token, which admin.oidc.refresh of gateway.yaml needs. Allow refresh tokens for this ` +
  'client at the provider, or ask an operator to add offline_access to admin.oidc.scopes.';

/**
 * The cookie of an earlier session must not outlive the sign-in, nor become this one.
 * @throws GatewayError without the refresh token that `admin.oidc.refresh` needs
 */
const openSession = (
  context: Context,
  { issuer, sessionTime, signOut, refresh }: OidcConfig,
  sessions: Sessions,
  actor: AdminActor,
  { claims: { sid }, idToken, refreshToken }: SignedIn,
): void => {
  if (refresh !== undefined && refreshToken === undefined)
    throw new GatewayError('service_unavailable', describeNoRefresh(new URL(issuer).host));
  const earlier = readSession(context);
  if (earlier !== undefined) sessions.close(earlier);
  const id = sessions.open(actor, sessionTime, {
    ...readOrigin(context),
    sid: typeof sid === 'string' ? sid : undefined,
    idToken: signOut === 'provider' ? idToken : undefined,
    refreshToken: refresh === undefined ? undefined : refreshToken,
  });
  writeSession(context, { id, lifeMs: sessionTime });
};

/** The address at the provider that ends the session there. @throws GatewayError if the provider has none */
const findEnd = async ({ config, provider }: OidcSignIn, context: Context, idToken: string): Promise<URL> => {
  // The callback is below the login page, which can be below a path of a proxy.
  const address = await provider.end(idToken, redirectUriOf(context, config).replace(/\/callback$/, ''));
  if (address !== undefined) return address;
  throw new GatewayError(
    'service_unavailable',
    `You are signed out of this gateway, but not at ${new URL(config.issuer).host}: it has no end_session_endpoint. ` +
      'Sign out there by hand, and ask an operator to set admin.oidc.signOut to gateway.',
  );
};

/** The steps of the sign-in, and the sign-out, with pages for people where they fail. */
export interface OidcSteps {
  begin(context: Context, next: string): Promise<void>;
  finish(context: Context): Promise<void>;
  /** Ends the session at the provider. The one at this gateway has ended. */
  end(context: Context, idToken: string): Promise<void>;
  /** Ends the sessions of a person who has signed out at the provider. */
  endByProvider(context: Context): Promise<void>;
}

export function createOidcSteps(
  signIn: OidcSignIn,
  { sessions, directory }: { readonly sessions: Sessions; readonly directory?: Directory | undefined },
  log: Log,
  record: RecordCall,
): OidcSteps {
  const { config, provider, pending } = signIn;
  const { host: providerHost } = new URL(config.issuer);
  const showProblem = (context: Context, thrown: unknown): void => {
    const error = GatewayError.is(thrown) ? describeOutage(thrown, log) : readFailure(thrown, providerHost);
    const cause = excerpt(readReasons(error.cause), 300);
    const address = context.req.socket.remoteAddress;
    log.warn({ address, method: context.method, code: error.code, reason: error.message, cause }, 'admin call refused');
    showPage(context, error.status, writeProblemPage(error.message));
  };
  const orProblem = (context: Context, run: () => Promise<void>): Promise<void> =>
    run().catch((thrown: unknown) => showProblem(context, thrown));
  return {
    endByProvider: (context) => endByProvider(context, config, signIn.logoutTokens, sessions, log, record),
    begin: (context, next) =>
      orProblem(context, async () => {
        const { address, pending: begun } = await provider.begin(redirectUriOf(context, config));
        pending.write(context, { ...begun, next });
        goTo(context, address.href);
      }),
    finish: (context) =>
      orProblem(context, async () => {
        const begun = pending.take(context);
        if (begun === undefined)
          throw new GatewayError(
            'invalid_request',
            'This sign-in has expired, was completed already, or began in another browser.',
          );
        const signedIn = await provider.finish(new URL(begun.redirectUri + context.search), begun);
        const actor = await readActor(signedIn.claims, signIn, directory);
        openSession(context, config, sessions, actor, signedIn);
        const after = { issuer: config.issuer, subject: String(signedIn.claims['sub']), role: actor.role };
        await record(context, actor, `GET ${CALLBACK}`, { status: 200, target: actor.name, after });
        showPage(context, 200, writeContinuePage('Signed in', begun.next));
      }),
    end: (context, idToken) =>
      orProblem(context, async () => {
        const address = await findEnd(signIn, context, idToken);
        showPage(context, 200, writeContinuePage('Signed out', address.href));
      }),
  };
}
