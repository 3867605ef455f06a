/** Nothing to set. */
export const schema = { type: 'object', description: 'Counts and times exchanges, and serves /metrics on the admin listener.', properties: {}, additionalProperties: false };
