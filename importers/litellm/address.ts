import type { Vendor } from './vendors.ts';

const trim = (url: string): string => url.replace(/\/+$/, '');

const withSuffix = (url: string, suffix: string): string =>
  trim(url).endsWith(suffix) ? trim(url) : `${trim(url).replace(/\/openai(?:\/deployments)?.*$/, '')}${suffix}`;

/** What the providers here take: an address with its version, but for the two vendors whose SDKs take it without. */
const shape = (url: string, { use, suffix }: Vendor): string => {
  if (suffix !== undefined && suffix !== '') return withSuffix(url, suffix);
  return use === 'anthropic'
    ? trim(url).replace(/\/v1(?:\/messages)?$/, '')
    : use === 'google'
      ? trim(url).replace(/\/v1(?:beta)?$/, '')
      : trim(url);
};

/** Does an address say who calls? */
export const holdsSecret = (url: unknown): boolean =>
  typeof url === 'string' && /:\/\/[^/\s]*@|[?&][^=&]*(?:key|token|sig|code)[^=&]*=/i.test(url);

/**
 * The address of a deployment as a provider takes it. Absent: that of the vendor, or none is known.
 * @param write an address that the source gives, or a reference to a variable
 */
export function resolveAddress(
  given: unknown,
  vendor: Vendor,
  write: (url: unknown) => string | undefined,
): string | undefined {
  const written = write(given);
  if (written !== undefined) return shape(written, vendor);
  const { base, baseUrl } = vendor;
  const known =
    base === undefined ? baseUrl : baseUrl === undefined ? write(`os.environ/${base}`) : `\${${base}:-${baseUrl}}`;
  return known === undefined ? undefined : shape(known, vendor);
}

/** As it may look once its variables are filled in. */
export function isAddress(url: string): boolean {
  const filled = url.replace(/^\$\{[^}]*\}/, 'https://filled').replaceAll(/\$\{[^}]*\}/g, '1');
  return /^https?:\/\//.test(filled) && URL.canParse(filled);
}

/** OpenAI itself, under the name of another host or its own. */
export const isOpenAi = (url: string): boolean => /^https:\/\/api\.openai\.com(?:\/|$)/.test(url);
