/** Nothing to set. */
export const schema = {
  type: 'object',
  description: 'A page on the admin listener for people who would rather look than read.',
  properties: {},
  additionalProperties: false,
};
