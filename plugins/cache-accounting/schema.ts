/** Nothing to set. */
export const schema = {
  type: 'object',
  description: 'Says of every exchange what the prompt cache of the vendor was worth to it.',
  properties: {},
  additionalProperties: false,
};
