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

/** A plugin's header that HTTP cannot carry costs that header, not the answer. */
export const keepSendable = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(isSendable));
