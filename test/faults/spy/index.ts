import { definePlugin } from 'koine-gateway';

/** Logs when an exchange is admitted, and when it is settled. */
export default definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'spy',
  schema: { type: 'object', additionalProperties: false },
  create: (_, { log }) => ({
    admit: ({ id }) => {
      log.info({ request_id: id }, 'spy: admitted');
      return { settle: ({ result }) => log.info({ request_id: id, result }, 'spy: settled') };
    },
  }),
});
