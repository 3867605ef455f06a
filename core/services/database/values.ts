import { GatewayError } from '../../errors/gateway-error.ts';

/** What both databases hold. Integers have 64 bits in both. */
export type Bindable = string | number | bigint | Uint8Array | null;

/** A value to bind. Booleans, which SQLite has not, are 0 and 1 in both. @throws GatewayError where it is none that both can hold */
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

/** An integer of the database as a number where that is exact, as a bigint beyond: what counts money is read with BigInt(). */
export function readInteger(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}
