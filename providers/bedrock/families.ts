/** Whose model it is, as far as its requests differ. */
export type Family =
  | 'claude'
  | 'embed'
  | 'image'
  | 'rerank'
  | 'nova'
  | 'nova-2'
  | 'gpt'
  | 'gpt-oss'
  | 'other'
  | 'unknown';

/** The name of a model without the prefix of an inference profile: `us.anthropic.claude-…`. */
const nameOf = (model: string): string => /(?:^|[/.])((?:anthropic|amazon|openai)\.[^/]+)$/.exec(model)?.[1] ?? model;

/** The ARN of a profile, an import or a deployment of the account does not name its model. */
const isOpaque = (model: string): boolean =>
  /^arn:[^:]+:[^:]+:[^:]*:[^:]*:(?:application-inference-profile|provisioned-model|imported-model|custom-model|endpoint|prompt)/.test(
    model,
  );

export function readFamily(model: string): Family {
  const name = nameOf(model);
  if (/(?:^|[/.])(?:amazon\.(?:titan-embed|nova-\S*embed)|cohere\.embed)/.test(model)) return 'embed';
  if (/(?:^|[/.])(?:amazon|cohere)\.rerank/.test(model)) return 'rerank';
  if (/(?:^|[/.])(?:amazon\.nova-canvas|stability\.(?:sd3|stable-image-(?:core|ultra)))/.test(model)) return 'image';
  if (name.startsWith('anthropic.')) return 'claude';
  if (name.startsWith('amazon.nova-2')) return 'nova-2';
  if (name.startsWith('amazon.nova')) return 'nova';
  if (name.startsWith('openai.gpt-oss')) return 'gpt-oss';
  if (name.startsWith('openai.')) return 'gpt';
  return isOpaque(model) ? 'unknown' : 'other';
}
