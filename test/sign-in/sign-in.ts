import { expect } from 'chai';
import { send, type HttpReply } from '../support/http.ts';

const MOST_STEPS = 20;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** The cookies of each host, as a browser keeps them. */
const createJar = () => {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = ({ hostname }: URL): Map<string, string> => {
    const jar = jars.get(hostname) ?? new Map<string, string>();
    jars.set(hostname, jar);
    return jar;
  };
  const write = (url: URL): string => [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    write,
    read: (url: URL, { headers }: HttpReply): void => {
      for (const cookie of headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '') jarOf(url).delete(name);
        else jarOf(url).set(name, value);
      }
    },
  };
};

const signOut = async (jar: ReturnType<typeof createJar>, issuer: string): Promise<void> => {
  const at = new URL('/session/end', issuer);
  const page = await send(issuer, { method: 'GET', path: at.pathname, headers: { cookie: jar.write(at) } });
  jar.read(at, page);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const done = await send(issuer, {
    method: 'POST',
    path: '/session/end/confirm',
    headers: { ...FORM, cookie: jar.write(at) },
    body: String(new URLSearchParams({ xsrf, logout: 'yes' })),
  });
  expect(done.status, done.text).to.be.within(200, 303);
};

/**
 * Signs a person in without a browser: follows the redirects, and fills in the forms of oidc-provider.
 * @param url of the admin listener
 * @returns the cookie of the session, the last response, and a sign-out at the provider
 */
export async function signIn(
  url: string,
  name: string,
): Promise<{ readonly cookie: string; readonly last: HttpReply; signOutAtProvider(): Promise<void> }> {
  const jar = createJar();
  let at = new URL('/admin/login/begin', url);
  let provider = at.origin;
  let body: string | undefined;
  for (let step = 0; step < MOST_STEPS; step++) {
    const headers = { accept: 'text/html', cookie: jar.write(at), ...(body === undefined ? {} : FORM) };
    const method = body === undefined ? 'GET' : 'POST';
    const reply = await send(at.origin, {
      method,
      path: at.pathname + at.search,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    jar.read(at, reply);
    body = undefined;
    const { location } = reply.headers;
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(reply.text) ?? [];
    if (location !== undefined) at = new URL(location, at);
    else if (action !== undefined && at.origin !== new URL(url).origin) {
      at = new URL(action, at);
      provider = at.origin;
      const prompt = /name="prompt" value="(\w+)"/.exec(reply.text)?.[1] ?? '';
      body = String(new URLSearchParams({ prompt, login: name, password: 'anything' }));
    } else {
      expect(at.pathname, reply.text).to.equal('/admin/login/callback');
      return { cookie: jar.write(at), last: reply, signOutAtProvider: () => signOut(jar, provider) };
    }
  }
  throw new Error(`the sign-in has not ended after ${MOST_STEPS} steps`);
}
