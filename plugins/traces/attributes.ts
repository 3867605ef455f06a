import type { Attributes } from '@opentelemetry/api';
import {
  type Attempt,
  type AttemptRecord,
  type Exchange,
  cacheWriteTotal,
  inputTotal,
  type Outcome,
} from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import { excerpt } from '../../core/api/internal.ts';
import { nameOperation, nameProvider } from '../shared/genai-names.ts';

const NANO_DOLLARS = 1e9;

/** Attributes at the start of the span of an exchange. They hold no text of the request or the response. */
export const describeExchange = ({
  id,
  method,
  route,
  address,
  headers,
  caller,
  model,
  operation,
  request,
}: Exchange): Attributes => ({
  'http.request.method': method,
  'http.route': route.path,
  'client.address': address,
  ...(headers['user-agent'] === undefined ? {} : { 'user_agent.original': excerpt(headers['user-agent'], 256) }),
  'koine.request_id': id,
  'koine.wire': route.wire,
  'koine.operation': operation,
  'koine.model': model,
  'koine.stream': 'stream' in request && request.stream,
  'koine.key': caller.key,
  'koine.project': caller.project,
  'koine.organization': caller.organization,
});

/** Attributes at the end of the span of an exchange. */
export function describeOutcome({ status, result, attempts, cost, error, ending, annotations }: Outcome): Attributes {
  const failure = error ?? ending?.error;
  const added = Object.entries(annotations?.span ?? {}).map(([name, value]) => [`koine.plugin.${name}`, value]);
  return omitUndefined({
    ...Object.fromEntries(added),
    'http.response.status_code': status,
    'koine.outcome': result,
    'koine.attempts': attempts.length,
    'koine.cost': cost === undefined ? undefined : Number(cost) / NANO_DOLLARS,
    'error.type': failure?.code,
  });
}

const describeRequest = ({ request }: Attempt): Attributes => {
  if (!('turns' in request)) return {};
  const { maxTokens, temperature, topP, topK, frequencyPenalty, presencePenalty, seed, choices } = request;
  const settings = {
    'gen_ai.request.max_tokens': maxTokens,
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.top_p': topP,
    'gen_ai.request.top_k': topK,
    'gen_ai.request.frequency_penalty': frequencyPenalty,
    'gen_ai.request.presence_penalty': presencePenalty,
    'gen_ai.request.seed': seed,
    ...(choices > 1 ? { 'gen_ai.request.choice.count': choices } : {}),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === 'number'));
};

/**
 * Attributes at the start of the span of an attempt: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function describeAttempt(attempt: Attempt): Attributes {
  const { target, credential, operation, wire } = attempt;
  return {
    'gen_ai.operation.name': nameOperation(operation, wire),
    'gen_ai.provider.name': nameProvider(target),
    'gen_ai.request.model': target.model,
    ...describeRequest(attempt),
    'koine.target': target.id,
    'koine.credential': credential,
    'koine.wire': wire,
  };
}

/** Attributes at the end of the span of an attempt. */
export function describeRecord(record: AttemptRecord): Attributes {
  const { status, failure, lane, ending, losses, upstreamRequestId } = record;
  const { usage, finish, model, reason } = ending ?? {};
  return omitUndefined({
    'http.response.status_code': status === 0 ? undefined : status,
    'koine.lane': lane,
    'koine.upstream_request_id': upstreamRequestId,
    'koine.losses': losses.length === 0 ? undefined : losses.length,
    'gen_ai.response.model': model,
    'gen_ai.response.finish_reasons': finish && [finish.reason],
    'gen_ai.usage.input_tokens': usage && inputTotal(usage),
    'gen_ai.usage.output_tokens': usage?.output,
    'gen_ai.usage.cache_read.input_tokens': usage?.cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': usage && cacheWriteTotal(usage),
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoning,
    'error.type': failure ?? (reason === 'complete' || reason === 'refused' ? undefined : reason),
  });
}
