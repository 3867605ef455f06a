import type { JsonObject } from '../../canonical/wire.ts';
import type { ClientTls } from '../../services/network/client-tls.ts';
import { section, setting } from './section.ts';

const pem = (description: string): JsonObject => setting(description, { $ref: '#/definitions/pem' });

/** TLS of connections that the gateway opens. */
export const clientTls = (description: string): JsonObject =>
  section(description, {
    ca: pem('The certificates of the authorities to trust. Default: the public ones.'),
    cert: pem('The certificate that the gateway presents, with its chain (mutual TLS). It needs key. Default: none.'),
    key: pem('The private key of cert, without a passphrase. Default: none.'),
    serverName: setting('The name that the certificate of the server must have. Default: the host of the address.', {
      type: 'string',
      minLength: 1,
    }),
  } satisfies Record<keyof ClientTls, JsonObject>);
