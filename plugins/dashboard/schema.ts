/** There are no settings. */
export const schema = {
  type: 'object',
  description: 'Serves a page on the admin listener that shows requests, cost, limits and providers.',
  properties: {},
  additionalProperties: false,
};
