/** There are no settings. */
export const schema = {
  type: 'object',
  description: 'Serves pages on the admin listener: requests, usage and cost, keys, limits, providers.',
  properties: {},
  additionalProperties: false,
};
