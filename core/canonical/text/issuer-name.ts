/**
 * An issuer of OpenID Connect as a part of names: without `https://`, and with `~` in place of `/`. Different issuers
 * have different names.
 * @example nameIssuer('https://login.example.com/realms/acme') // 'login.example.com~realms~acme'
 */
export const nameIssuer = (issuer: string): string =>
  issuer
    .replace(/^https:\/\//, '')
    .replace(/^http:\/\//, 'http/')
    .replace(/\/$/, '')
    .replaceAll(/[^A-Za-z0-9._:/[\]-]/gu, (char) => (char === '~' ? '%7E' : encodeURIComponent(char)))
    .replaceAll('/', '~');
