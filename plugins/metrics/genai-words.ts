import type { AttemptRecord, Exchange, Target } from '../../core/index.ts';

/** Where the conventions call a vendor otherwise: https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/ */
const vendors: ReadonlyMap<string, string> = new Map([
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
]);

/** `gen_ai.provider.name`: the vendor whose endpoint it is known to be; else what the configuration calls it. */
export const nameProvider = ({ provider, endpoint }: Target): string =>
  vendors.get(endpoint.origin.provider) ?? vendors.get(provider) ?? provider;

/** `gen_ai.operation.name` of what is asked for in a wire. */
export function nameOperation(operation: Exchange['operation'], wire: AttemptRecord['wire']): string {
  if (operation === 'embed') return 'embeddings';
  if (operation === 'count-tokens') return 'count_tokens';
  return wire === 'generate-content' ? 'generate_content' : 'chat';
}

/** `error.type`: the outcome. A label without a value is none: nothing went wrong. */
export const nameError = (outcome: string): string => (outcome === 'ok' ? '' : outcome);
