import { validateHeaderName, validateHeaderValue } from '../../services/network/node-http.ts';

const isSendable = ([name, value]: readonly [string, string]): boolean => {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};

/** Drops headers that are not valid in HTTP, so that a wrong header of a plugin does not cost the whole response. */
export const keepSendable = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(isSendable));
