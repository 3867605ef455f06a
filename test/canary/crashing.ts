import { definePlugin } from 'koine-gateway';

/** A plugin that throws when a request triggers it, with its own token in every error. */
export default definePlugin<{ readonly token: string }>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'crashing',
  schema: {
    type: 'object',
    properties: { token: { type: 'string' } },
    required: ['token'],
    additionalProperties: false,
  },
  create: ({ token }) => {
    const failures: Readonly<Record<string, () => unknown>> = {
      throw: () => new Error(`thrown with ${token}`, { cause: new Error(token) }),
      object: () => ({ token, inner: { password: token } }),
      name: () =>
        Object.assign(new Error('failed'), {
          name: token,
          code: token,
          request: { headers: { authorization: token } },
        }),
    };
    return {
      identify: ({ headers }) => {
        const [how = '', when] = String(headers['x-canary'] ?? '').split(' ');
        const failure = failures[how];
        if (failure === undefined) return undefined;
        if (when === undefined) throw failure();
        if (when === 'rejected') void Promise.reject(failure());
        else
          setImmediate(() => {
            throw failure();
          });
        return undefined;
      },
    };
  },
});
