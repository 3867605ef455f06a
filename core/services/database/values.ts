import { GatewayError } from '../../errors/gateway-error.ts';

/** Values that both databases can store. Integers have 64 bits in both. */
export type Bindable = string | number | bigint | Uint8Array | null;

/**
 * Converts a value for binding. Booleans, which SQLite does not have, become 0 and 1.
 * @throws GatewayError if not both databases can store it
 */
export function readBindable(value: unknown): Bindable {
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Uint8Array
  )
    return value;
  if (typeof value === 'boolean') return Number(value);
  throw new GatewayError('KOINE_STORE_FAILED', `A value of type ${typeof value} cannot be stored in the database.`);
}

/**
 * Converts an integer of the database: to a number if exact, otherwise to a bigint. Read amounts of money with
 * BigInt().
 */
export function readInteger(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}
