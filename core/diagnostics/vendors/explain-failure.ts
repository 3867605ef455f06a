import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { ProviderConfig } from '../../config/gateway-config.ts';
import type { FailureClass } from '../../errors/codes.ts';
import type { GatewayError } from '../../errors/gateway-error.ts';
import { listEnvironmentProxies } from '../../services/network/environment-proxy.ts';

/** Why a call failed, and what an operator can do. */
export interface ExplainedFailure {
  /** Of the gateway: docs/reference/errors.md. */
  readonly code: string;
  readonly class: FailureClass;
  /** Of the vendor's response; absent if there was none. */
  readonly status?: number;
  readonly message: string;
  readonly advice: string;
}

const NAME = 'Check the host in the address of the provider, and the name resolution of this machine.';
const TRUST = 'Add its authority to tls.ca of the provider. A proxy that opens TLS has an authority of its own.';

/** By the code of the network's error: https://nodejs.org/api/errors.html#common-system-errors, and those of OpenSSL. */
const byCause: Readonly<Record<string, string>> = {
  ENOTFOUND: NAME,
  EAI_AGAIN: `${NAME} The name server did not respond.`,
  EAI_FAIL: NAME,
  ECONNREFUSED: 'No program listens at this address and port. Check both, and that the server is running.',
  EHOSTUNREACH: 'There is no route to this address. Check the network, and whether a proxy is needed.',
  ENETUNREACH: 'There is no route to this address. Check the network, and whether a proxy is needed.',
  ETIMEDOUT: 'A firewall probably drops the packets. Check it, and whether a proxy is needed.',
  UND_ERR_CONNECT_TIMEOUT: 'A firewall probably drops the packets. Check it, and whether a proxy is needed.',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired. Check the clock of this machine too.',
  CERT_NOT_YET_VALID: 'The certificate of the server is not valid yet. Check the clock of this machine.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for another name. Check the address, or set tls.serverName of the provider.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  ERR_SSL_WRONG_VERSION_NUMBER: 'The server does not speak TLS on this port. Check https and the port in the address.',
  EPROTO: 'The server does not speak TLS on this port. Check https and the port in the address.',
};

const byCode: Readonly<Record<string, string>> = {
  upstream_timeout:
    'The connection was made, but no response came in time. Try a longer --timeout, and check the server.',
  upstream_unreachable: 'Check the address of the provider, the network and the proxy.',
  upstream_tls: 'Check the address and the settings tls of the provider.',
  upstream_credential: 'The credential could not be loaded. Check where the provider gets it from.',
  upstream_reset: 'The server closed the connection without a response. Check the address, and a proxy on the way.',
  upstream_bad_response: 'The server is probably not the API of this provider. Check the address.',
};

const byClass: Readonly<Partial<Record<FailureClass, string>>> = {
  'credential': 'The vendor refuses the credential. Check that it is complete, active, and of this vendor.',
  'quota': 'The credential is valid, but its balance or quota is spent. Check the billing of the account.',
  'rate-limit': 'The credential is valid, but its rate limit is used up at the moment. Try again later.',
  'region': 'The vendor does not serve the region of this machine or account.',
  'model-access': 'The credential is valid, but its account has no access to this model.',
  'model-gone': 'The vendor does not have this model or this path. Check the address and the name of the model.',
  'overloaded': 'The vendor is overloaded at the moment. Try again later.',
  'transient': 'The vendor failed. Try again later.',
};

const causeOf = ({ cause }: GatewayError): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';

/** Variables for a proxy that the provider does not use. Only a failure to connect can come from them. */
const adviseProxy = (error: GatewayError, { proxy }: ProviderConfig): string => {
  const names = listEnvironmentProxies(process.env).map(([name]) => name);
  const isNetwork = ['upstream_unreachable', 'upstream_tls', 'upstream_timeout'].includes(error.code);
  return names.length === 0 || proxy !== undefined || !isNetwork
    ? ''
    : ` ${names.join(' and ')} of the environment are ignored: "proxy: environment" of the provider uses them.`;
};

export function explainFailure(error: GatewayError, settings: ProviderConfig): ExplainedFailure {
  const advice =
    byCause[causeOf(error)] ??
    (error.vendor === undefined ? byCode[error.code] : undefined) ??
    byClass[error.failure] ??
    'Read the message of the vendor.';
  return omitUndefined({
    code: error.code,
    class: error.failure,
    status: error.vendor?.status,
    message: error.message,
    advice: advice + adviseProxy(error, settings),
  });
}
