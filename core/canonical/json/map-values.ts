/** Maps the values of a record. Undefined stays undefined. */
export function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Readonly<Record<string, To>>;
export function mapValues<From, To>(
  record: Readonly<Record<string, From>> | undefined,
  map: (value: From) => To,
): Readonly<Record<string, To>> | undefined;
export function mapValues<From, To>(
  record: Readonly<Record<string, From>> | undefined,
  map: (value: From) => To,
): Readonly<Record<string, To>> | undefined {
  return record && Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
