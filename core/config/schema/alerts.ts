import type { JsonObject } from '../../canonical/wire.ts';
import type { EmailConfig, WebhookConfig } from '../../services/alerts/alerts-config.ts';
import { optional, section, setting } from './section.ts';

/** An address as in an envelope: a name is not part of it. */
const ADDRESS = '^[^\\s@<>,;:"\\\\]+@[^\\s@<>,;:"\\\\]+$';

const timeout = setting('The longest time for one attempt; 100ms to 1m. There are five within eight minutes.', {
  $ref: '#/definitions/duration',
  default: '10s',
});

const perHour = (most: number): JsonObject =>
  setting('The most alerts within an hour. Further ones are only logged.', {
    type: 'integer',
    minimum: 1,
    maximum: 100_000,
    default: most,
  });

const webhook = section(
  'Sends alerts by POST, signed by Standard Webhooks. Default: none.',
  {
    url: setting('Where alerts are sent. Redirects are not followed.', {
      type: 'string',
      pattern: '^https?://',
      examples: ['https://hooks.internal/koine'],
    }),
    secret: setting('Signs the alerts: whsec_ and base64, or any text.', {
      type: 'string',
      minLength: 16,
      writeOnly: true,
      examples: ['${WEBHOOK_SECRET}'],
    }),
    timeout,
    perHour: perHour(1_000),
  } satisfies Record<keyof WebhookConfig, JsonObject>,
  ['url', 'secret'],
);

const email = section(
  'Sends alerts by e-mail. Default: none.',
  {
    host: setting('The SMTP server.', { type: 'string', minLength: 1, examples: ['smtp.example.com'] }),
    port: setting('Its port: 587 with starttls, 465 with tls.', {
      type: 'integer',
      minimum: 1,
      maximum: 65_535,
      default: 587,
    }),
    encryption: setting(
      'starttls: the connection is encrypted before anything is sent, or not used. tls: it is encrypted from its ' +
        'first byte. none: plain text, for a server of this machine or of a network that is trusted.',
      { enum: ['starttls', 'tls', 'none'], default: 'starttls' },
    ),
    user: setting('The user of the login. Empty: none.', { type: 'string' }),
    password: setting('Its password.', { type: 'string', writeOnly: true, examples: ['${SMTP_PASSWORD}'] }),
    from: setting('The address of the sender.', {
      type: 'string',
      pattern: ADDRESS,
      examples: ['koine@example.com'],
    }),
    to: setting('The addresses of the receivers.', {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      items: { type: 'string', pattern: ADDRESS, examples: ['operators@example.com'] },
    }),
    timeout,
    perHour: perHour(30),
  } satisfies Record<keyof EmailConfig, JsonObject>,
  ['host', 'from', 'to'],
);

export const alertsSchema = optional(
  section(
    'Alerts (docs/operate/alerts.md): circuits, failed reloads, models without a price, budgets. Each is logged, and ' +
      'sent to these channels.',
    { webhook, email },
  ),
);
