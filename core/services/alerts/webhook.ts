import { createHmac } from 'node:crypto';
import type { Clock, Fetch } from '../../contracts/services.ts';
import type { WebhookConfig } from './alerts-config.ts';
import type { SendOnce } from './outbox.ts';

const SECRET_TAG = 'whsec_';

/** By Standard Webhooks a secret with their tag is base64; any other secret is text. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(SECRET_TAG) ? Buffer.from(secret.slice(SECRET_TAG.length), 'base64') : Buffer.from(secret);

/**
 * The headers of https://www.standardwebhooks.com, which receivers verify with any of its libraries.
 * @param at unix milliseconds
 */
export function signWebhook(
  secret: string,
  id: string,
  at: number,
  body: string,
): Readonly<Record<`webhook-${'id' | 'timestamp' | 'signature'}`, string>> {
  const timestamp = String(Math.floor(at / 1_000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** Posts alerts, signed. */
export const createWebhook =
  ({ url, secret, timeout }: WebhookConfig, fetch: Fetch, clock: Pick<Clock, 'now'>): SendOnce =>
  async ({ id, body }) => {
    const headers = { 'content-type': 'application/json', ...signWebhook(secret, id, clock.now(), body) };
    try {
      const { status } = await fetch(url, { method: 'POST', headers, body, timeoutMs: timeout });
      return status >= 200 && status < 300 ? undefined : `it responded with status ${status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
