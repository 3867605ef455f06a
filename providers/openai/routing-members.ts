/** Members by which servers of OpenAI's wires choose among models, providers and addresses. */
export const routingMembers = {
  models: true,
  fallbacks: true,
  provider: true,
  api_base: true,
  api_key: true,
  base_url: true,
} as const;
