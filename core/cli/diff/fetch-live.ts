import { isObject } from '../../canonical/json/members.ts';
import type { ComparableConfig } from '../../config/diff/comparable-config.ts';
import { MisuseError } from '../command.ts';

const TIMEOUT_MS = 10_000;

const request = async (url: URL, token: string | undefined): Promise<Response> => {
  try {
    return await fetch(url, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new MisuseError(
      `The gateway cannot be reached at ${url.origin}: ${cause}. --admin URL sets the address of its admin listener.`,
    );
  }
};

/**
 * The active configuration of a running gateway: GET /admin/config.
 * @param admin the admin listener, as `http://127.0.0.1:8788`
 * @throws MisuseError where it cannot be reached, or does not return a configuration
 */
export async function fetchLiveConfig(admin: string, token: string | undefined): Promise<ComparableConfig> {
  if (!URL.canParse(admin))
    throw new MisuseError(`--admin must be an address like http://127.0.0.1:8788, not "${admin}".`);
  const url = new URL('/admin/config', admin);
  const response = await request(url, token);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status === 401)
    throw new MisuseError(
      `${url.origin} refuses the admin token: give another with --token, or set KOINE_ADMIN_TOKEN.`,
    );
  if (!response.ok || !isObject(body) || !isObject(body['config']) || typeof body['salt'] !== 'string')
    throw new MisuseError(`${url.href} responded with status ${response.status} and no configuration.`);
  return { config: body['config'], salt: body['salt'] };
}
