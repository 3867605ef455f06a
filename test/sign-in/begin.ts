import { send, type HttpReply } from '../support/http.ts';
import type { HostileProvider } from './hostile-provider.ts';

const get = (url: string, path: string, cookie: string): Promise<HttpReply> =>
  send(url, { method: 'GET', path, headers: { accept: 'text/html', cookie } });

const cookiesOf = ({ headers }: HttpReply): readonly string[] =>
  (headers['set-cookie'] ?? []).filter((cookie) => !cookie.includes('=;')).map((cookie) => cookie.split(';')[0] ?? '');

/** Signs dora in at a provider that asks nothing. @param url of the admin listener */
export async function signInAtOnce(
  url: string,
  provider: HostileProvider,
): Promise<{ readonly cookie: string; readonly reply: HttpReply }> {
  const begun = await get(url, '/admin/login/begin', '');
  const parameters = new URL(begun.headers.location ?? '').searchParams;
  provider.nonce = parameters.get('nonce') ?? '';
  const query = { code: 'a-code', state: parameters.get('state') ?? '', iss: provider.issuer };
  const reply = await get(
    url,
    `/admin/login/callback?${String(new URLSearchParams(query))}`,
    cookiesOf(begun).join('; '),
  );
  return { reply, cookie: cookiesOf(reply).find((cookie) => cookie.startsWith('koine_admin_')) ?? '' };
}

/** The status of a call with the session, and the role that it has. */
export async function roleWith(url: string, cookie: string): Promise<readonly [status: number, role?: string]> {
  const { status, text } = await send(url, { method: 'GET', path: '/admin/pages', headers: { cookie } });
  if (status !== 200) return [status];
  return [status, (JSON.parse(text) as { readonly actor: { readonly role: string } }).actor.role];
}
