/** There are no settings. */
export const schema = {
  type: 'object',
  description: 'Calculates for every exchange what the prompt cache of the vendor saved.',
  properties: {},
  additionalProperties: false,
};
