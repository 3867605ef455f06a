/** Removes what ids and aliases cannot contain: spaces, slashes at the ends, and `${`. */
export const normalizeName = (name: string): string =>
  name
    .trim()
    .replaceAll(/\s+/g, '-')
    .replaceAll(/^\/+|\/+$/g, '')
    .replaceAll('${', '{');

/** The name itself, or with the first number that makes it free. */
export function freeName(preferred: string, isTaken: (name: string) => boolean, separator = '-'): string {
  let name = preferred;
  for (let number = 2; isTaken(name); number += 1) name = `${preferred}${separator}${number}`;
  return name;
}

/** A name in the form of providers, organizations, projects and keys. */
export const plainName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9._@-]+/g, '-').replaceAll(/^[^A-Za-z0-9]+|-+$/g, '') || 'unnamed';

/** A name in the form of an environment variable. */
export const variableName = (name: string): string =>
  name
    .toUpperCase()
    .replaceAll(/\W/g, '_')
    .replace(/^(?=\d)/, '_');
