import type { ApiKeys, Headers, UpstreamCall, UpstreamRequest } from '../../core/api/index.ts';
import { missingCredential } from '../../core/api/internal.ts';
import type { Sign } from '../identity/aws/sign.ts';
import type { BedrockOptions } from './schema.ts';

/** On the wires of OpenAI, the model and the stream flag are members of the body: this is the whole path. */
const whole = (path: string) => ({ plain: path, streamed: path, isWhole: true });

/** The ends of the paths of plain and streamed calls. */
const methods = {
  'converse': { plain: '/converse', streamed: '/converse-stream', isWhole: false },
  'invoke': { plain: '/invoke', streamed: '/invoke-with-response-stream', isWhole: false },
  // Counts the tokens of Claude's prompts.
  'count': { plain: '/count-tokens', streamed: '/count-tokens', isWhole: false },
  // https://docs.aws.amazon.com/bedrock/latest/userguide/inference-chat-completions.html
  'chat-completions': whole('/openai/v1/chat/completions'),
  'responses': whole('/openai/v1/responses'),
};
export type Method = keyof typeof methods;

/** https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
const addressOf = ({ baseUrl }: BedrockOptions, region: string): URL =>
  new URL(baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);

/** Of InvokeModel and of chat completions. */
const guardrailHeaders = ({ guardrail }: BedrockOptions): Headers =>
  guardrail === undefined
    ? {}
    : {
        'x-amzn-bedrock-guardrailidentifier': guardrail.id,
        'x-amzn-bedrock-guardrailversion': guardrail.version,
        ...(guardrail.trace === undefined ? {} : { 'x-amzn-bedrock-trace': guardrail.trace.toUpperCase() }),
      };

/**
 * Settings of InvokeModel, which has headers where Converse has members.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
 */
const invokeHeaders = ({ latency, serviceTier, ...options }: BedrockOptions): Headers => ({
  ...guardrailHeaders(options),
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
    if (bearer === undefined) throw missingCredential(credential);
    return { ...request, headers: { ...unsigned, ...request.headers, ...bearer } };
  };
}

/** Builds the requests of one model. Its name is one segment of the path, also that of an ARN, or in the body. */
export function createAddress(
  options: BedrockOptions,
  region: string,
  authorization: Authorization,
  model: string,
  method: Method,
): (call: UpstreamCall) => UpstreamRequest | Promise<UpstreamRequest> {
  const { origin, pathname } = addressOf(options, region);
  const base = pathname.replace(/\/+$/, '');
  const { plain, streamed, isWhole } = methods[method];
  const path = isWhole ? base : `${base}/model/${encodeURIComponent(model)}`;
  const streamType = isWhole ? 'text/event-stream' : 'application/vnd.amazon.eventstream';
  const own: Headers = {
    'content-type': 'application/json',
    ...(method === 'invoke' ? invokeHeaders(options) : isWhole ? guardrailHeaders(options) : {}),
  };
  const send = authorize(authorization);
  return ({ stream, body, headers, credential }) => {
    const request = {
      origin,
      path: path + (stream ? streamed : plain),
      headers: { ...own, accept: stream ? streamType : 'application/json' },
      body,
    };
    return send(request, withoutOwn(headers), credential);
  };
}
