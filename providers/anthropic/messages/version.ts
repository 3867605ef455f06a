import { GatewayError, type GenerateRequest, type Headers } from '../../../core/api/index.ts';

/** The header has two names: the vendor's and this gateway's own. */
const NAMES = ['anthropic-version', 'compat-version'] as const;

/** The two versions that this gateway documents, and the one that current SDKs send. */
export const defaultVersions: readonly string[] = ['2023-01-01', '2023-06-01', '2026-10-21'];

const SAMPLING_VERSION = '2023-06-01';
export const CURRENT_VERSION = '2026-10-21';

/** The version that the client sent, under either name. */
export const readVersion = (headers: Headers): string | undefined => headers[NAMES[0]] ?? headers[NAMES[1]];

/** @throws GatewayError 400 if the header is missing or its value is not allowed */
export function checkVersion(headers: Headers, allowed: readonly string[] = defaultVersions): void {
  const choices = allowed.map((version) => `'${version}'`).join(', ');
  if (readVersion(headers) === undefined) {
    throw new GatewayError(
      'invalid_request',
      `The header 'anthropic-version' (or 'compat-version') is required; send one of ${choices}.`,
      { param: NAMES[0] },
    );
  }
  for (const name of NAMES) {
    const version = headers[name];
    if (version !== undefined && !allowed.includes(version)) {
      throw new GatewayError('invalid_request', `The header '${name}' must be one of ${choices}.`, { param: name });
    }
  }
}

/**
 * From 2026-10-21 on, the vendor rejects temperature, top_p and top_k even at their defaults. Requests with one of them
 * use the older version.
 */
export const chooseVersion = (request: Pick<GenerateRequest, 'temperature' | 'topP' | 'topK'>): string =>
  request.temperature === undefined && request.topP === undefined && request.topK === undefined
    ? CURRENT_VERSION
    : SAMPLING_VERSION;
