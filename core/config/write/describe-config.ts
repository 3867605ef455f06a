import { hash } from 'node:crypto';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Limit } from '../../contracts/caller.ts';
import type { Price } from '../../contracts/price.ts';
import { describePath } from '../describe-path.ts';
import { formatDuration } from '../units/duration.ts';
import { EXPIRY_PATTERN } from '../units/expiry.ts';
import type { LoadedConfig } from '../load.ts';
import { maskUrlSecrets } from '../secrets/mask-secrets.ts';
import type { Path } from '../problem.ts';
import { isWriteOnly, stepInto } from './is-write-only.ts';
import { composeSchema } from '../schema/compose.ts';
import { isOption, isHiddenPath, OPTIONS_DEPTH } from '../secrets/secret-paths.ts';
import { formatSize } from '../units/size.ts';
import { writeLimit } from './write-limit.ts';
import { writePrice } from './write-price.ts';

export type Described = Pick<LoadedConfig, 'config' | 'extensions'>;

/** Returns the replacement of a secret. */
export type MaskSecret = (secret: string) => string;

const isLimit = (value: unknown): value is Limit => isObject(value) && 'unit' in value;
const isPrice = (value: unknown): value is Price => isObject(value) && typeof value['input'] === 'bigint';
/** One price without dates is written by itself. */
const writePrices = (prices: readonly unknown[]): unknown => {
  const written = prices.map((price) => (isPrice(price) ? writePrice(price) : price));
  return written.length === 1 ? written[0] : written;
};

/** Convert resolved values back to the form of the file, by the schema definition of the setting. */
const writers: Readonly<Record<string, (value: unknown) => unknown>> = {
  '#/definitions/duration': (value) => (typeof value === 'number' ? formatDuration(value) : value),
  '#/definitions/size': (value) => (typeof value === 'number' ? formatSize(value) : value),
  '#/definitions/pem': (value) => `PEM, SHA-256 ${hash('sha256', String(value)).slice(0, 16)}…`,
  '#/definitions/limit': (value) => (isLimit(value) ? writeLimit(value) : value),
  '#/definitions/price': (value) => (Array.isArray(value) ? writePrices(value) : value),
};

/**
 * Describes a loaded configuration in the form of the file, with all defaults and without secrets. Secrets of
 * extensions are recognized by the name of the setting or by `writeOnly` in the schema.
 * @param interpolatedOptions further settings of extensions to mask, see {@link LoadedConfig.interpolatedOptions}
 */
export function describeConfig(
  { config, extensions: { providers, plugins } }: Described,
  mask: MaskSecret,
  interpolatedOptions: ReadonlySet<string> = new Set(),
): JsonObject {
  const root = composeSchema([]);
  const definitions = isObject(root['definitions']) ? root['definitions'] : {};

  const optionsSchema = ([section, name]: Path): JsonObject =>
    (section === 'plugins' ? plugins[Number(name)] : providers[String(name)])?.definition.schema ?? {};
  const isSecret = (path: Path): boolean =>
    isHiddenPath(path) ||
    (isOption(path) &&
      (interpolatedOptions.has(describePath(path)) || isWriteOnly(optionsSchema(path), path.slice(OPTIONS_DEPTH))));

  const describe = (value: unknown, schema: unknown, path: Path): unknown => {
    const reference = isObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : '';
    const write = Object.hasOwn(writers, reference) ? writers[reference] : undefined;
    if (write !== undefined) return write(value);
    const known = reference === '' ? schema : definitions[reference.slice('#/definitions/'.length)];
    // An empty secret is shown: it means that there is none.
    if (typeof value === 'string')
      return isSecret(path) ? (value === '' ? '' : mask(value)) : maskUrlSecrets(value, mask);
    if (typeof value === 'number' && interpolatedOptions.has(describePath(path))) return mask(String(value));
    if (typeof value === 'number' && isObject(known) && known['pattern'] === EXPIRY_PATTERN)
      return new Date(value).toISOString();
    if (Array.isArray(value))
      return value.map((item, index) => describe(item, stepInto(known, index), [...path, index]));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, describe(member, stepInto(known, key), [...path, key])]),
    );
  };
  const described = describe(config, root, []);
  return isObject(described) ? described : {};
}
