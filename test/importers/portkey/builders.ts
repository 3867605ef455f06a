/**
 * Configs of the shapes that Portkey's documentation has: https://portkey.ai/docs/product/ai-gateway, with
 * https://portkey.ai/docs/guides/use-cases/combining-routing-strategies and the pages of providers and guardrails.
 */

export type Members = Readonly<Record<string, unknown>>;

export const on = (mode: string, ...targets: readonly Members[]): Members => ({ strategy: { mode }, targets });
export const fallback = (...targets: readonly Members[]): Members => on('fallback', ...targets);
export const balance = (...targets: readonly Members[]): Members => on('loadbalance', ...targets);
export const model = (name: string, more: Members = {}): Members => ({ override_params: { model: name, ...more } });
export const at = (provider: string, name?: string, more: Members = {}): Members => ({
  provider,
  ...(name === undefined ? {} : model(name)),
  ...more,
});
export const key = (slug: string, more: Members = {}): Members => ({ virtual_key: slug, ...more });
export const when = (query: Members, target: string): Members =>
  Object.fromEntries(['query', 'then'].map((name) => [name, name === 'query' ? query : target]));
export const route = (conditions: readonly Members[], otherwise: string, ...targets: readonly Members[]): Members => ({
  strategy: { mode: 'conditional', conditions, default: otherwise },
  targets,
});
export const named = (name: string, target: Members): Members => ({ name, ...target });

export const [openai, azure, anthropic] = ['@openai-prod', '@azure-prod', '@anthropic-prod'] as const;
export const [big, small] = [named('big', at(anthropic, 'claude-3-opus')), named('small', at(openai, 'gpt-4o-mini'))];
export const claude = ['@anthropic/claude-sonnet-4-5', '@vertex/claude-sonnet-4-5@20250929'].map((name) => model(name));
export const gpt = ['@openai/gpt-4o', '@azure/gpt-4o'].map((name) => model(name));
