import { definePlugin, GatewayError } from 'koine-gateway';
import { createTestServices } from 'koine-gateway/testing';

interface GreetingOptions {
  readonly word: string;
}

/** An extension as an operator writes it: two entries of the package, and types. It adds a header to every answer. */
export default definePlugin<GreetingOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'greeting',
  schema: { type: 'object', properties: { word: { type: 'string' } }, additionalProperties: false },
  create: ({ word }) => ({
    admit: () => {
      if (word === '') throw new GatewayError('invalid_request', 'No word.');
      return { headers: { 'x-greeting': word, 'x-testing': typeof createTestServices } };
    },
  }),
});
