import {
  GatewayError,
  type ApiKeys,
  type Headers,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../core/api/index.ts';
import type { Sign } from '../../core/api/internal.ts';
import type { BedrockOptions } from './schema.ts';

/** The ends of the paths of plain and streamed calls. */
export interface Methods {
  readonly plain: string;
  readonly streamed: string;
}

export const converseMethods: Methods = { plain: '/converse', streamed: '/converse-stream' };
/** Counts the tokens of Claude's prompts. */
export const countMethods: Methods = { plain: '/count-tokens', streamed: '/count-tokens' };
export const invokeMethods: Methods = { plain: '/invoke', streamed: '/invoke-with-response-stream' };

/** https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
const addressOf = ({ baseUrl }: BedrockOptions, region: string): URL =>
  new URL(baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);

/**
 * Settings of InvokeModel, which has headers where Converse has members.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
 */
export const invokeHeaders = ({ guardrail, latency, serviceTier }: BedrockOptions): Headers => ({
  ...(guardrail === undefined
    ? {}
    : {
        'x-amzn-bedrock-guardrailidentifier': guardrail.id,
        'x-amzn-bedrock-guardrailversion': guardrail.version,
        ...(guardrail.trace === undefined ? {} : { 'x-amzn-bedrock-trace': guardrail.trace.toUpperCase() }),
      }),
  ...(latency === undefined ? {} : { 'x-amzn-bedrock-performanceconfig-latency': latency }),
  ...(serviceTier === undefined ? {} : { 'x-amzn-bedrock-service-tier': serviceTier }),
});

/** How the calls of a provider are authorized: by a bearer key each, or by a signature. */
export type Authorization = { readonly keys: ApiKeys } | { readonly sign: Sign };

/** Headers of the client's wire that Bedrock does not have: their values are members of the body. */
const withoutOwn = ({ 'anthropic-version': _version, 'anthropic-beta': _beta, ...others }: Headers): Headers => others;

/** Adds a bearer key or a signature to a request. Headers that others may change are sent, but not signed. */
export function authorize(
  authorization: Authorization,
): (request: UpstreamRequest, unsigned: Headers, credential: string) => UpstreamRequest | Promise<UpstreamRequest> {
  if ('sign' in authorization) return (request, unsigned) => authorization.sign(request, unsigned);
  const bearers = authorization.keys.prepare((key): Headers => ({ authorization: `Bearer ${key}` }));
  return (request, unsigned, credential) => {
    const bearer = bearers.get(credential);
    if (bearer === undefined)
      throw new GatewayError('upstream_credential', `The provider has no credential '${credential}'.`);
    return { ...request, headers: { ...unsigned, ...request.headers, ...bearer } };
  };
}

/** Builds the requests of one model. The name of the model is one segment of the path, also that of an ARN. */
export function createAddress(
  options: BedrockOptions,
  region: string,
  authorization: Authorization,
  model: string,
  methods: Methods,
): (call: UpstreamCall) => UpstreamRequest | Promise<UpstreamRequest> {
  const { origin, pathname } = addressOf(options, region);
  const path = `${pathname.replace(/\/+$/, '')}/model/${encodeURIComponent(model)}`;
  const own: Headers = {
    'content-type': 'application/json',
    ...(methods === invokeMethods ? invokeHeaders(options) : {}),
  };
  const send = authorize(authorization);
  return ({ stream, body, headers, credential }) => {
    const request = {
      origin,
      path: path + (stream ? methods.streamed : methods.plain),
      headers: { ...own, accept: stream ? 'application/vnd.amazon.eventstream' : 'application/json' },
      body,
    };
    return send(request, withoutOwn(headers), credential);
  };
}
