import type { AttemptRecord, Exchange, Target } from '../../core/api/index.ts';
import { operations } from '../../core/api/internal.ts';

/**
 * Vendors whose name in the conventions differs from ours:
 * https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/
 */
const vendors: ReadonlyMap<string, string> = new Map([
  ['openai', 'openai'],
  ['azure-openai', 'azure.ai.openai'],
  ['anthropic', 'anthropic'],
  ['google', 'gcp.gemini'],
  ['cohere', 'cohere'],
  ['vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
]);

/** `gen_ai.provider.name`: the vendor of a known endpoint, else the name of the provider in the configuration. */
export const nameProvider = ({ provider, endpoint }: Target): string =>
  vendors.get(endpoint.origin.provider) ?? vendors.get(provider) ?? provider;

/** `gen_ai.operation.name` of an operation on a wire. */
export function nameOperation(operation: Exchange['operation'], wire: AttemptRecord['wire']): string {
  return operations[operation].telemetryName ?? (wire === 'generate-content' ? 'generate_content' : 'chat');
}

/** `error.type`: the outcome; empty, which Prometheus treats as absent, for success. */
export const nameError = (outcome: string): string => (outcome === 'ok' ? '' : outcome);
