/** Nothing to set: keys stand under `organizations` and in the database. */
export const schema = { type: 'object', description: 'Accepts the keys of the configuration and of the database.', properties: {}, additionalProperties: false };
