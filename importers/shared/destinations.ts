import { omitUndefined } from '../../core/api/codec.ts';
import type { Destination } from '../../core/api/internal.ts';
import { isOpenAi } from './address.ts';
import { DUMMY_KEY, type Endpoint } from './providers.ts';
import { textOf } from './read.ts';
import type { Variables } from './variables.ts';
import { vendors } from './vendors.ts';

/** The text in place of `*` in the name that stands for all names of a wildcard. */
export const ANY_MODEL = 'any-model';

/** Paths and queries can have secrets, and the paths of gateways differ. */
const originOf = (address: string): string =>
  address.startsWith('${') ? address : URL.canParse(address) ? new URL(address).origin : 'unknown';

/** The address that a source states, or that its vendor has; undefined for that of our provider. */
const addressOf = ({ vendor, address, addressVariable }: Endpoint, variables: Variables): string | undefined => {
  const stated = variables.locate(address.value);
  if (stated !== undefined) return vendor === 'openai' && isOpenAi(stated) ? undefined : originOf(stated);
  const { base, baseUrl } = vendors[vendor] ?? {};
  const variable = addressVariable !== undefined && base !== undefined ? addressVariable : base;
  return variable === undefined ? baseUrl : `\${${variable}}`;
};

/** Secrets in clear text have a variable; text without one is a placeholder, or the name of an identity. */
const keyOf = (value: unknown, variables: Variables): string | undefined => {
  const key = DUMMY_KEY.test(textOf(value) ?? '') ? undefined : variables.locate(value);
  return key?.startsWith('${') === true ? key : undefined;
};

/**
 * Where a source sends requests for a model of an endpoint, in the words of the source: one destination for each of its
 * keys. Called when the result is complete, because it names the variables of secrets.
 */
export function listDestinations(endpoint: Endpoint, model: string, variables: Variables): readonly Destination[] {
  const { vendor, apiKeys, settings = {}, organization, project } = endpoint;
  const known = Object.hasOwn(vendors, vendor) ? vendors[vendor] : undefined;
  const isOpenAiVendor = known?.use === 'openai';
  const place = {
    provider: (known === undefined ? undefined : addressOf(endpoint, variables)) ?? known?.use ?? vendor,
    model: model.startsWith('accounts/') ? model : `${known?.modelPrefix ?? ''}${model}`,
    region: variables.locate(settings['region']?.value ?? settings['location']?.value),
    project: variables.locate(settings['project']?.value ?? (isOpenAiVendor ? project : undefined)),
    organization: isOpenAiVendor ? variables.locate(organization) : undefined,
  };
  const own = settings['accessKeyId'] ?? settings['credentials'];
  const keys = apiKeys.length > 0 && own === undefined ? apiKeys : own === undefined ? [undefined] : [own];
  return keys.map((key) => omitUndefined<Destination>({ ...place, key: keyOf(key?.value, variables) }));
}

/** A destination of a wildcard, for one name. */
export const fillStar = (destination: Destination, name: string): Destination => ({
  ...destination,
  model: destination.model.replace('*', () => name),
});

/** The text in place of the `*` of a pattern in a name. */
export function matchStar(pattern: string, name: string): string | undefined {
  const [start = '', end] = pattern.split('*');
  return end !== undefined && name.length > start.length + end.length && name.startsWith(start) && name.endsWith(end)
    ? name.slice(start.length, name.length - end.length)
    : undefined;
}
