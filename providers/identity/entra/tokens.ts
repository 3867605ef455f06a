import { createHash } from 'node:crypto';
import {
  type Credential,
  type Fetch,
  type Services,
  GatewayError,
  createRenewal,
  type Renewable,
  createRenewedCredential,
} from '../../../core/api/index.ts';
import { parseJson, readObject, readText } from '../../../core/api/codec.ts';
import { fetchToken, redactSecrets } from '../../../core/api/internal.ts';
import { buildTokenRequest } from './request.ts';
import { completeEntra, type EntraSettings } from './settings.ts';

/** An identity, as a credential of a provider. */
export interface EntraIdentity {
  readonly credential: Credential;
  /** The current token, which `credential.ready` has loaded. */
  readonly token: string | undefined;
}

type Context = Pick<Services, 'clock' | 'log' | 'folder' | 'shared'>;

const ID = 'entra';
const TIMEOUT_MS = 10_000;
const DESCRIPTION_LENGTH = 300;

/** "invalid_client: AADSTS7000215: Invalid client secret provided.", without the ids and times that follow. */
const describeRefusal = ({
  error,
  error_description: description,
  message,
}: Readonly<Record<string, unknown>>): string => {
  const [sentence = ''] = (readText(description) || readText(message)).split(/\s+Trace ID:|\r?\n/);
  const parts = [readText(error), redactSecrets(sentence).slice(0, DESCRIPTION_LENGTH)].filter((part) => part !== '');
  return parts.length === 0 ? '' : `: ${parts.join(': ')}`;
};

/** The metadata service responds with 404 and 410 while it is updated. */
const isTransient = (status: number): boolean => status === 404 || status === 410 || status === 429 || status >= 500;

const readEnd = (body: Readonly<Record<string, unknown>>, now: number): number => {
  const lifetime = Number(body['expires_in'] ?? Number.NaN);
  if (Number.isFinite(lifetime)) return now + lifetime * 1_000;
  const end = Number(body['expires_on'] ?? Number.NaN);
  return Number.isFinite(end) ? end * 1_000 : Number.NaN;
};

/** @throws GatewayError that says what the identity provider refused, without any secret */
const readToken = (status: number, body: Readonly<Record<string, unknown>>, now: number): Renewable<string> => {
  if (status !== 200)
    throw new GatewayError(
      'upstream_credential',
      `Microsoft Entra ID refused a token (${status})${describeRefusal(body)}`,
      isTransient(status) ? { failure: 'transient' } : {},
    );
  const [value, endsAt] = [readText(body['access_token']), readEnd(body, now)];
  if (value === '' || Number.isNaN(endsAt))
    throw new GatewayError('upstream_credential', 'The response of Microsoft Entra ID has no token, or no end of it.', {
      failure: 'transient',
    });
  return { value, endsAt };
};

const requestToken = async (url: string, options: Parameters<Fetch>[1]): ReturnType<Fetch> => {
  try {
    return await fetchToken(url, options);
  } catch (thrown) {
    throw new GatewayError('upstream_unreachable', thrown instanceof Error ? thrown.message : String(thrown), {
      cause: thrown,
    });
  }
};

/**
 * An identity for calls to a vendor at Azure. Providers with the same settings share its tokens, and a reload keeps
 * them.
 * @param scope of the vendor, for settings without one
 */
export function openEntra(
  given: EntraSettings,
  scope: string,
  { clock, log, folder, shared }: Context,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): EntraIdentity {
  const { settings, unavailable } = completeEntra(given, scope, environment);
  const load = async (): Promise<Renewable<string>> => {
    const { url, ...request } = await buildTokenRequest(settings, { clock, folder }, environment);
    const { status, body } = await requestToken(url, { ...request, timeoutMs: TIMEOUT_MS });
    return readToken(status, readObject(parseJson(Buffer.from(body).toString())), clock.now());
  };
  const digest = createHash('sha256')
    .update(JSON.stringify([folder, settings]))
    .digest('base64url');
  const renewal = shared(
    `entra ${digest}`,
    () => createRenewal(load, { clock, log }, `The token of the ${settings.identity} identity at Microsoft Entra ID`),
    (unused) => unused.close(),
  );
  return {
    credential:
      unavailable === undefined ? createRenewedCredential(ID, renewal, (token) => token) : { id: ID, unavailable },
    get token() {
      return renewal.current;
    },
  };
}
