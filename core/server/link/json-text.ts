import { GatewayError } from '../../errors/gateway-error.ts';

/**
 * A plugin's message is made text before it joins a batch: what is not JSON fails alone, and not in the middle of the messages of others.
 * Undefined stays undefined.
 * @param whose begins the sentence of the error
 * @throws GatewayError `internal_error`
 */
export function encodeText(message: unknown, whose: string): string | undefined {
  try {
    return JSON.stringify(message);
  } catch (cause) {
    throw new GatewayError(
      'internal_error',
      `${whose} something that is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

export const decodeText = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));
