import { isObject } from '../canonical/json/members.ts';
import type { JsonObject } from '../canonical/wire.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { loadConfig } from '../config/load.ts';
import { parseJson } from '../framing/json.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { MisuseError } from './command.ts';

const TIMEOUT_MS = 10_000;

/** Where the admin API of a running gateway is, and how it is opened. */
export interface AdminAddress {
  /** As `http://127.0.0.1:8788`. */
  readonly url: string;
  readonly token: string | undefined;
}

/** The address of a listener, from this machine. */
export const addressOf = ({ host, port, tls }: GatewayConfig['admin'] | GatewayConfig['server']): string => {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`;
};

/** From the options of a command and the environment; what they lack from a configuration. */
export const chooseAdmin = (
  { admin, token }: { readonly admin?: string | undefined; readonly token?: string | undefined },
  config?: GatewayConfig,
): AdminAddress => ({
  url: admin ?? (config === undefined ? '' : addressOf(config.admin)),
  token: token ?? process.env['KOINE_ADMIN_TOKEN'] ?? config?.admin.token,
});

/** As {@link chooseAdmin}. With `--admin` no configuration is read: it is on another machine. */
export const findAdmin = async (
  options: { readonly admin?: string | undefined; readonly token?: string | undefined; readonly config: string },
  builtIns: BuiltIns,
): Promise<AdminAddress> =>
  options.admin === undefined
    ? chooseAdmin(options, (await loadConfig(options.config, builtIns, process.env)).config)
    : chooseAdmin(options);

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

/** The message of an error of the admin API. */
const messageOf = (text: string): string | undefined => {
  const body = parseJson(text);
  const error = isObject(body) ? body['error'] : undefined;
  return isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
};

/**
 * Calls the admin API of a running gateway.
 * @param path with its query: `/admin/requests?limit=1`
 * @throws MisuseError where it cannot be reached, or refuses the call
 */
export async function fetchAdmin({ url: address, token }: AdminAddress, path: string): Promise<string> {
  if (!URL.canParse(address))
    throw new MisuseError(`--admin must be an address like http://127.0.0.1:8788, not "${address}".`);
  const url = new URL(path, address);
  const response = await request(url, token);
  const text = await response.text();
  if (response.ok) return text;
  if (response.status === 401)
    throw new MisuseError(
      `${url.origin} refuses the admin token: give another with --token, or set KOINE_ADMIN_TOKEN.`,
    );
  throw new MisuseError(messageOf(text) ?? `${url.origin}${url.pathname} responded with status ${response.status}.`);
}

/** As {@link fetchAdmin}, for a response that is a JSON object. */
export async function fetchAdminObject(admin: AdminAddress, path: string): Promise<JsonObject> {
  const body = parseJson(await fetchAdmin(admin, path));
  if (isObject(body)) return body;
  // Another service listens there.
  throw new MisuseError(`${admin.url} responded with no JSON object: it is not the admin listener of a gateway.`);
}
