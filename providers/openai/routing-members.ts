/** Members by which servers of OpenAI's wires choose among models, providers and addresses. */
export const routingMembers = {
  models: true,
  fallbacks: true,
  provider: true,
  api_base: true,
  api_key: true,
  base_url: true,
} as const;

/** They are refused at OpenAI and Azure, which have none of them: a proxy in front of either can. */
export const refusedMembers: readonly string[] = [...Object.keys(routingMembers), 'route'];
