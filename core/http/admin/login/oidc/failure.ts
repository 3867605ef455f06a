import { GatewayError } from '../../../../errors/gateway-error.ts';
import { isObject } from '../../../../canonical/json/members.ts';

/** Codes of OAuth 2.0 and OpenID Connect. The description beside it is not shown, since links can contain any text. */
const CODE = /^[a-z_]{1,40}$/;
const codeOf = (thrown: unknown): string => {
  const code = isObject(thrown) ? thrown['error'] : undefined;
  return typeof code === 'string' && CODE.test(code) ? ` (${code})` : '';
};
/** Codes of openid-client for responses that are none of the protocol. Without a code there was no response. */
const NO_ANSWER: ReadonlySet<unknown> = new Set([
  undefined,
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);
const AGAIN = 'Begin again at /admin/login.';

/** A failure of openid-client, by its name, as an error with a message for people. The log has the cause. */
export function readFailure(thrown: unknown, host: string): GatewayError {
  const name = thrown instanceof Error ? thrown.constructor.name : '';
  const details = { cause: thrown };
  if (name === 'AuthorizationResponseError')
    return new GatewayError('permission_denied', `${host} did not sign you in${codeOf(thrown)}. ${AGAIN}`, details);
  if (name === 'ResponseBodyError' || name === 'WWWAuthenticateChallengeError')
    return new GatewayError(
      'service_unavailable',
      `${host} refused a request of this gateway${codeOf(thrown)}. Check admin.oidc of gateway.yaml: client id, ` +
        'secret and redirect URI must be those of the provider.',
      details,
    );
  if (name === 'ClientError' && isObject(thrown) && !NO_ANSWER.has(thrown['code']))
    return new GatewayError(
      'invalid_request',
      `The response of ${host} is not valid for this sign-in; the log of the gateway has the reason. ${AGAIN}`,
      details,
    );
  return new GatewayError(
    'service_unavailable',
    `${host} does not work at the moment; the log of the gateway has the reason. ${AGAIN}`,
    details,
  );
}

/** The messages of an error and of its causes, for the log. */
export function readReasons(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  const deeper = readReasons(thrown.cause);
  return deeper === '' ? thrown.message : `${thrown.message}: ${deeper}`;
}
