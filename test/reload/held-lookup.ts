// Preloaded into a gateway with `node --import`: its lookups of host names wait until the file HOLD is removed, as with
// a resolver that is slow to respond.
import dns from 'node:dns';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';

const { lookup } = dns;

const lookUpLater = (...parameters: Parameters<typeof lookup>): void => {
  // An address is not looked up.
  if (isIP(parameters[0]) === 0 && existsSync(process.env['HOLD'] ?? ''))
    setTimeout(() => lookUpLater(...parameters), 10);
  else lookup(...parameters);
};

dns.lookup = Object.assign(lookUpLater, lookup);
