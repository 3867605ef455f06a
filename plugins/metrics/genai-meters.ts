import { inputTotal, type Exchange, type Metrics, type Outcome, type Target } from '../../core/api/index.ts';
import { attemptResult, wasSent } from '../../core/api/internal.ts';
import { isStreamed } from './exchange-meters.ts';
import { nameError, nameOperation, nameProvider } from '../shared/genai-names.ts';
import { memoize, memoizeByObject } from './memoize.ts';
import { targetOf, type UpstreamMeters } from './upstream-meters.ts';

const TOKENS = Array.from({ length: 14 }, (_, step) => 4 ** step);
const DURATION = Array.from({ length: 14 }, (_, step) => 0.01 * 2 ** step);
const FIRST_TOKEN = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const EACH_TOKEN = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];
const LABELS = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'];

/**
 * Binds metrics once per operation, provider and model.
 * @returns a function that finds them by an exchange, the id of one of its targets, and the wire of the call
 */
const byTarget = <T>(bind: (labels: readonly string[]) => T) => {
  const bound = memoizeByObject((target: Target) =>
    memoize((operation: string) => bind([operation, nameProvider(target), target.label?.model ?? target.model])),
  );
  const unknown = memoize((operation: string) => bind([operation, 'other', 'other']));
  return (exchange: Exchange, id: string, wire: string | undefined): T => {
    const target = targetOf(exchange, id);
    const operation = nameOperation(exchange.operation, wire);
    return target === undefined ? unknown(operation) : bound(target)(operation);
  };
};

const declareHistograms = (metrics: Metrics) => ({
  tokens: metrics.histogram(
    'gen_ai_client_token_usage',
    'Number of input and output tokens used, as providers reported them.',
    [...LABELS, 'gen_ai_token_type'],
    TOKENS,
  ),
  calls: metrics.histogram(
    'gen_ai_client_operation_duration_seconds',
    'Duration of calls to providers.',
    [...LABELS, 'error_type'],
    DURATION,
  ),
  requests: metrics.histogram(
    'gen_ai_server_request_duration_seconds',
    'Duration of requests, to the last byte.',
    [...LABELS, 'error_type'],
    DURATION,
  ),
  firstTokens: metrics.histogram(
    'gen_ai_server_time_to_first_token_seconds',
    'Time to the first token of successful streams.',
    LABELS,
    FIRST_TOKEN,
  ),
  eachToken: metrics.histogram(
    'gen_ai_server_time_per_output_token_seconds',
    'Time per output token after the first of successful streams.',
    LABELS,
    EACH_TOKEN,
  ),
});

/**
 * The metrics of OpenTelemetry's conventions for generative AI, release 1.41, as far as the gateway has a source for
 * them. The gateway is the client of providers (`client`: each attempt) and the server of its clients (`server`: each
 * exchange with a call to a provider, under the labels of the last one).
 * https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-metrics.md
 */
export function createGenaiMeters(metrics: Metrics): UpstreamMeters {
  const { tokens, calls, requests, firstTokens, eachToken } = declareHistograms(metrics);
  const clientOf = byTarget((labels) => ({
    tokens: memoize((type: string) => tokens.bind([...labels, type])),
    call: memoize((error: string) => calls.bind([...labels, error])),
  }));
  const serverOf = byTarget((labels) => ({
    request: memoize((error: string) => requests.bind([...labels, error])),
    first: firstTokens.bind(labels),
    each: eachToken.bind(labels),
  }));

  const serve = (exchange: Exchange, { attempts, charges, result, times: { total, firstContent } }: Outcome): void => {
    const last = attempts.findLastIndex(wasSent);
    const attempt = attempts[last];
    if (attempt === undefined) return;
    const { request, first, each } = serverOf(exchange, attempt.target, exchange.route.wire);
    request(nameError(result))(total / 1_000);
    if (result !== 'ok' || firstContent === undefined || !isStreamed(exchange)) return;
    first(firstContent / 1_000);
    const output = charges.find((charge) => charge.attempt === last)?.usage.output ?? 0;
    if (output > 1) each((total - firstContent) / 1_000 / (output - 1));
  };

  return {
    attempt: (exchange, attempt) => {
      if (wasSent(attempt))
        clientOf(exchange, attempt.target, attempt.wire).call(nameError(attemptResult(exchange, attempt)))(
          attempt.ms / 1_000,
        );
    },
    end: ({ exchange, outcome }) => {
      if (exchange === undefined) return;
      for (const { attempt, target, usage } of outcome.charges) {
        if (usage.source === 'estimated') continue;
        const meters = clientOf(exchange, target.id, outcome.attempts[attempt]?.wire);
        meters.tokens('input')(inputTotal(usage));
        meters.tokens('output')(usage.output);
      }
      serve(exchange, outcome);
    },
  };
}
