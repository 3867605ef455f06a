import type { Vendor } from './vendors.ts';

const trim = (url: string): string => url.replace(/\/+$/, '');

/** Of an address of Azure, everything from `/openai` on is replaced. */
const withSuffix = (url: string, suffix: string): string => {
  const base = suffix.startsWith('/openai') ? trim(url).replace(/\/openai(?:\/deployments)?.*$/, '') : trim(url);
  return trim(url).endsWith(suffix) ? trim(url) : `${base}${suffix}`;
};

/** Adds the version that our providers expect in an address. The SDKs of Anthropic and Google expect none. */
const normalizeAddress = (url: string, { use, suffix }: Vendor): string => {
  if (suffix !== undefined && suffix !== '') return withSuffix(url, suffix);
  return use === 'anthropic'
    ? trim(url).replace(/\/v1(?:\/messages)?$/, '')
    : use === 'google'
      ? trim(url).replace(/\/v1(?:beta)?$/, '')
      : trim(url);
};

/** Whether an address contains credentials. */
export const holdsSecret = (url: unknown): boolean =>
  typeof url === 'string' && /:\/\/[^/\s]*@|[?&][^=&]*(?:key|token|sig|code)[^=&]*=/i.test(url);

/**
 * The address of a provider in the form of our providers; undefined for the default of the provider, or when unknown.
 * @param given in the form of our file
 * @param require refers to a variable that must be set
 */
export function resolveAddress(
  given: string | undefined,
  vendor: Vendor,
  require: (name: string) => string,
): string | undefined {
  if (given !== undefined) return normalizeAddress(given, vendor);
  const { base, baseUrl } = vendor;
  const known = base === undefined ? baseUrl : baseUrl === undefined ? require(base) : `\${${base}:-${baseUrl}}`;
  return known === undefined ? undefined : normalizeAddress(known, vendor);
}

/** Whether the address is valid, with plausible values for its variables. */
export function isAddress(url: string): boolean {
  const filled = url.replace(/^\$\{[^}]*\}/, 'https://filled').replaceAll(/\$\{[^}]*\}/g, '1');
  return /^https?:\/\//.test(filled) && URL.canParse(filled);
}

/** Whether the address is that of OpenAI itself. */
export const isOpenAi = (url: string): boolean => /^https:\/\/api\.openai\.com(?:\/|$)/.test(url);
