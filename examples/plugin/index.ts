import { definePlugin, GatewayError } from 'koine-gateway';

interface PurposeOptions {
  readonly purposes: readonly string[];
}

const HEADER = 'x-purpose';

/** Every request states its purpose in a header. Requests are counted by purpose. */
export default definePlugin<PurposeOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'purpose',
  schema: {
    type: 'object',
    properties: {
      purposes: {
        description: 'The purposes that a client can state.',
        type: 'array',
        items: { type: 'string', pattern: '^[a-z-]+$' },
        minItems: 1,
      },
    },
    required: ['purposes'],
    additionalProperties: false,
  },
  check: ({ purposes }) =>
    purposes.flatMap((purpose, index) =>
      purposes.indexOf(purpose) === index ? [] : [{ path: ['purposes', index], message: `${purpose} occurs twice.` }],
    ),
  create: ({ purposes }, { metrics, log }) => {
    const requests = metrics.counter('purpose_requests_total', 'Requests by purpose.', ['purpose']);
    // Bound once, so that a request costs one addition.
    const counters = new Map(purposes.map((purpose) => [purpose, requests.bind([purpose])]));
    log.info({ purposes }, 'requests must state their purpose');
    return {
      admit: ({ headers }) => {
        const purpose = headers[HEADER] ?? '';
        const count = counters.get(purpose);
        if (count === undefined)
          throw new GatewayError('invalid_request', `Set the header ${HEADER} to one of: ${purposes.join(', ')}.`);
        count(1);
        return { headers: { [HEADER]: purpose } };
      },
    };
  },
});
