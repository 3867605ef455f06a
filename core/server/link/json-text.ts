import { GatewayError } from '../../errors/gateway-error.ts';

/**
 * Serializes a plugin's message before it joins a batch, so that a value that is not JSON fails alone, and not with the
 * messages of other plugins. Undefined stays undefined.
 * @param whose the beginning of the error text
 * @throws GatewayError `internal_error`
 */
export function encodeText(message: unknown, whose: string): string | undefined {
  try {
    return JSON.stringify(message);
  } catch (cause) {
    throw new GatewayError(
      'internal_error',
      `${whose} that is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

export const decodeText = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));
