import type { Attributes } from '@opentelemetry/api';
import {
  type Attempt,
  type AttemptRecord,
  excerpt,
  type Exchange,
  inputTotal,
  omitUndefined,
  type Outcome,
  type Target,
} from '../../core/index.ts';

/** Where the conventions call a vendor otherwise: https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/ */
const vendors: ReadonlyMap<string, string> = new Map([
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
]);

/** The vendor whose endpoint it is known to be; else what the configuration calls it. The metrics say the same. */
const nameProvider = ({ provider, endpoint }: Target): string =>
  vendors.get(endpoint.origin.provider) ?? vendors.get(provider) ?? provider;

const NANO_DOLLARS = 1e9;

/** Of the span of an exchange, where it begins. Nothing of what was asked or answered. */
export const describeExchange = ({
  id,
  method,
  route,
  address,
  headers,
  caller,
  model,
  operation,
}: Exchange): Attributes => ({
  'http.request.method': method,
  'http.route': route.path,
  'client.address': address,
  ...(headers['user-agent'] === undefined ? {} : { 'user_agent.original': excerpt(headers['user-agent'], 256) }),
  'koine.request_id': id,
  'koine.wire': route.wire,
  'koine.operation': operation,
  'koine.model': model,
  'koine.key': caller.key,
  'koine.project': caller.project,
  'koine.organization': caller.organization,
});

/** Where it ends. */
export function describeOutcome({ status, result, attempts, cost, error, ending }: Outcome): Attributes {
  const failed = error ?? ending?.error;
  return omitUndefined({
    'http.response.status_code': status,
    'koine.outcome': result,
    'koine.attempts': attempts.length,
    'koine.cost': cost === undefined ? undefined : Number(cost) / NANO_DOLLARS,
    'error.type': failed === undefined ? undefined : failed.code,
  });
}

/** The operation of an attempt, in the words of the conventions. */
export function nameOperation({ operation, wire }: Pick<Attempt, 'operation' | 'wire'>): string {
  if (operation === 'embed') return 'embeddings';
  if (operation === 'count-tokens') return 'count_tokens';
  return wire === 'generate-content' ? 'generate_content' : 'chat';
}

const describeRequest = ({ request }: Attempt): Attributes => {
  if (!('turns' in request)) return {};
  const { maxTokens, temperature, topP, topK, frequencyPenalty, presencePenalty, seed, choices } = request;
  const said = {
    'gen_ai.request.max_tokens': maxTokens,
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.top_p': topP,
    'gen_ai.request.top_k': topK,
    'gen_ai.request.frequency_penalty': frequencyPenalty,
    'gen_ai.request.presence_penalty': presencePenalty,
    'gen_ai.request.seed': seed,
    ...(choices > 1 ? { 'gen_ai.request.choice.count': choices } : {}),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => typeof value === 'number'));
};

/** Of the span of an attempt, where it begins: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ */
export function describeAttempt(attempt: Attempt): Attributes {
  const { target, credential, wire } = attempt;
  return {
    'gen_ai.operation.name': nameOperation(attempt),
    'gen_ai.provider.name': nameProvider(target),
    'gen_ai.request.model': target.model,
    ...describeRequest(attempt),
    'koine.target': target.id,
    'koine.credential': credential,
    'koine.wire': wire,
  };
}

/** Where it ends. */
export function describeRecord({ status, failure, lane, ending, losses }: AttemptRecord): Attributes {
  const { usage, finish, model, reason } = ending ?? {};
  const broken = reason === undefined || reason === 'complete' ? undefined : reason;
  return {
    ...(status === 0 ? {} : { 'http.response.status_code': status }),
    ...(lane === undefined ? {} : { 'koine.lane': lane }),
    ...(losses.length === 0 ? {} : { 'koine.losses': losses.length }),
    ...(model === undefined ? {} : { 'gen_ai.response.model': model }),
    ...(finish === undefined ? {} : { 'gen_ai.response.finish_reasons': [finish.reason] }),
    ...(usage === undefined
      ? {}
      : {
          'gen_ai.usage.input_tokens': inputTotal(usage),
          'gen_ai.usage.output_tokens': usage.output,
          'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
          'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite5m + usage.cacheWrite1h,
          'gen_ai.usage.reasoning.output_tokens': usage.reasoning,
        }),
    ...(failure === undefined && broken === undefined ? {} : { 'error.type': failure ?? broken }),
  };
}
